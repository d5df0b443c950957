byte été; // été
active proctype P() { skip }
