proctype Q(byte n) { skip }
init { run Q() }
