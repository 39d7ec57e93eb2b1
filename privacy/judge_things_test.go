package privacy_test

import "strings"

// Things that have names of two words, as people have, and members that people have too.
const (
	thingFirsts = "Blue Golden Silver Crimson Velvet Copper Rustic Urban Coastal Sunny Royal Grand Little Olive Maple Cedar Lemon Pepper Honey Iron " +
		"Bright Swift " +
		"Northern Alpine Pacific Summit Prime Vertex Quantum Delta Apex Nimbus Zenith Polar Lunar Solar Terra Aqua Casa Bella Trattoria Sushi Taco Noodle Burger"
	venueLasts = "Lagoon Dragon Lion Lantern Spoon Kitchen Table Grill Bistro Cantina Tavern Inn Suites Resort Lodge Cafe Bakery Garden Terrace Arms " +
		"Crown Anchor " +
		"Bonita Zen Palace Plaza Arena Gallery Cinema Gym Spa"
	companyLasts = "Widgets Traders Industries Logistics Analytics Dynamics Robotics Foods Textiles Motors Energy Materials Optics Ventures Consulting Media " +
		"Networks Pharma Biotech Steel Plastics Freight Labs Works Design"
	productLasts = "Runner Blender Lamp Backpack Kettle Charger Headset Keyboard Jacket Sneaker Tumbler Notebook Speaker Drone Tripod Candle Blanket Grinder"
	officeNames  = "Human_Resources Customer_Care Field_Sales Quality_Assurance Legal_Affairs Internal_Audit Product_Design Plant_Maintenance Data_Platform " +
		"Public_Relations Supply_Chain Night_Shift"
)

func (c chance) of(words string) string {
	return strings.ReplaceAll(c.pick(strings.Fields(words)...), "_", " ")
}

// thing makes the name of a venue, a company, a product or an office.
func (c chance) thing() string {
	lasts := c.pick(venueLasts, companyLasts, productLasts, "")
	if lasts == "" {
		return c.of(officeNames)
	}
	return c.of(thingFirsts) + " " + c.of(lasts)
}

// thingRecords have a name and what things and people have: ¤ is the name.
var thingRecords = []string{`{"name":"¤","address":"12 Elm St","city":"Leeds"}`, `{"id":7,"name":"¤","city":"Porto","phone":"+351 21 798 0280"}`,
	`{"name":"¤","street":"Elm St","zip":"62704","phone":"202-555-0143"}`, `{"name": "¤", "department": "Shoes", "price": 49.9}`,
	`{"name":"¤","manager":"u-17","phone":"x4411"}`, `{"city":"Lyon","name":"¤","rating":4.5}`, "name,city,phone\n¤,Leeds,0113 496 0123",
	"name;address;rating\n¤;12 Elm St;4.5", "| name | city | seats |\n|---|---|---|\n| ¤ | Porto | 40 |", "id\tname\tdepartment\n7\t¤\tOutdoor",
	`{"venue_id":3,"name":"¤","address":{"street":"Elm St","city":"Leeds"}}`, `{"name":"¤","email":"info@x.example","city":"Leeds"}`,
	`{"name":"¤","phone":"0113 496 0123","email":"reservations@x.example"}`, `{"sku":"a-1","name":"¤","price":12}`}

// personRecords have a name and what only people have.
var personRecords = []string{`{"name":"¤","age":41,"city":"Leeds"}`, `{"name":"¤","email":"u17@x.example"}`,
	`{"name":"¤","phone":"+351 21 798 0280","dob":"1985-03-12"}`,
	`{"id":7,"name":"¤","gender":"f","address":"12 Elm St"}`, "name,email\n¤,u17@x.example", "name;age;city\n¤;41;Leeds", "id\tname\tsalary\n7\t¤\t41000",
	`{"name": "¤", "occupation": "nurse", "city": "Porto"}`, `{"name":"¤","mobile":"0412 345 678"}`, `{"name":"¤","birthday":"12 March"}`,
	`{"name":"¤","nationality":"PT"}`, `{"job":"welder","name":"¤"}`}

// likelyRecords have a name and what things have as well: usual names are found in them.
var likelyRecords = []string{`{"name":"¤","city":"Leeds","phone":"0113 496 0123"}`, `{"name":"¤","department":"Sales"}`, "name,phone\n¤,0113 496 0123",
	`{"name":"¤","address":"12 Elm St"}`}
