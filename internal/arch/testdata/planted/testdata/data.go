package data

import _ "vendor.unknown" // Go leaves testdata alone, and so do we
