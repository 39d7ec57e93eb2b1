package lost // breaks: floors

import _ "planted.example/high"
