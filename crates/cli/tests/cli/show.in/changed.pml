active proctype other() { skip; false }
