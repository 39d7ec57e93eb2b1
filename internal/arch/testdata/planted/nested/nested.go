package nested

import _ "vendor.unknown" // another module: not this one's business
