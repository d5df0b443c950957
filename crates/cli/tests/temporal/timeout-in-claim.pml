// never_0: violated, unlike SPIN: the state in which the system stops lasts for ever, and timeout is true there
// never_0 fair: violated
active proctype P() { skip; end: false }
never { do :: timeout -> break :: !timeout od; accept: do :: true od }
