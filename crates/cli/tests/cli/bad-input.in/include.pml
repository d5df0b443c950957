#include "nowhere.h"
init { skip }
