byte zero;
active proctype P() { 1 / zero == 1 -> skip }
