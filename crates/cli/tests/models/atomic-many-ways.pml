/* expect: holds */
/* A short sequence, and 2 to the power of 40 ways through it. */
byte x;
active proctype p() {
	atomic {
		if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi;
		if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi;
		if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi;
		if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi;
		if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi;
		if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi;
		if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi;
		if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi; if :: x = 1 :: x = 2 fi;
		x = 0
	};
	assert(x == 0)
}
