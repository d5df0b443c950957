// never_0: violated, unlike SPIN: the system stops where no process makes progress
// never_0 fair: violated
active proctype P() { progress: skip; end: false }
never { do :: true :: np_ -> break od; accept: do :: np_ od }
