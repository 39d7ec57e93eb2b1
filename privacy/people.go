package privacy

import "strings"

// kind says what a capitalised word may be.
type kind uint16

const (
	given     kind = 1 << iota // a first name and hardly anything else
	surname                    // a family name and hardly anything else
	doubtful                   // a first name, and a word, place or product as well
	honorific                  // stands in front of a name
	greeting                   // stands in front of a name too
	salute                     // stands in front of a name or of anybody
	farewell                   // stands in front of a name, with a comma or line between
	function                   // begins sentences: no name
	geography                  // makes a place of the name behind it
	body                       // makes an institution or a place of the name in front of it
	roadFirst                  // begins the name of a street: Via, Rua
	roadLast                   // ends it: Street, Road
)

// kindWords lists our own choice of names, common ones of many countries, and of the words around them.
var kindWords = [...]struct {
	kind
	words string
}{
	{given, "Aarav Aaron Abdul Abdullah Abigail Adam Adele Adrian Adriana Adrien Adéla Agathe Agnar Agnes Agneta Agnieszka Agostino Ahmad " +
		"Ahmed Ahmet Aidan Aileen Aimé Aino Aisha Akira Alan Alana Alba Albert Alberto Alejandra Alejandro Aleksander Aleksandra Aleksy " +
		"Alena Alessandra Alessandro Alessia Alessio Alex Alexander Alexandra Alexandre Alexandria Alexis Alfie Alfonso Alfred Alfredo " +
		"Ali Alice Alicia Alina Alison Alistair Alix Allan Allen Allison Alphonse Alvin Alyssa Amanda Amara Amedeo Amelia Amelie Amina " +
		"Amit Amy Ana Ananya Anastasia Anders Andre Andrea Andreas Andrei Andres Andrew Andrzej Andy Angela Angelica Angelina Angelo " +
		"Angie Anil Anita Anja Anjali Ann Anna Annabelle Anne Annegret Anneli Annelie Annette Annie Annika Annukka Anouk Ansgar Antero " +
		"Anthony Antje Antoine Antoinette Anton Antonia Antonio Antti António Anya Aoife Apolonia Archie Arianna Arie Arja Arjan Arjun " +
		"Armando Armin Arnaud Arne Arnold Arthur Artur Arturo Arun Ashley Ashok Astrid Aubrey Audrey Aurora Aurore Aurélie Avraham Axel " +
		"Ayhan Aylin Ayumi Ayşe Barbara Barbora Barry Bartek Bartosz Barış Beata Beatrice Beatriz Becky Belinda Ben Benedetta Benedikt " +
		"Bengt Beniamino Benjamin Benoît Bente Bernadette Bernard Bernd Bernhard Bernice Bert Berthold Bertrand Beth Bethany Bettina " +
		"Betty Beverly Bianca Bilge Birgit Birgitta Björn Bjørn Blake Blanka Bob Bobby Bodil Bogdan Bohumil Bonnie Boris Bożena Brad " +
		"Bradley Bram Brandi Brandon Brandy Brenda Brendan Brent Brett Brian Brianna Bridget Brigitte Britt Britta Brittany Bruce Bruno " +
		"Bryan Bryce Burak Burkhard Bärbel Börje Bülent Caitlin Caleb Callum Calvin Cameron Camila Camilla Camille Candace Candice " +
		"Capucine Carina Carl Carla Carlo Carlos Carlota Carly Carmela Carmelo Carmen Carol Carole Caroline Carolyn Carrie Carsten Casey " +
		"Caspar Cassandra Cassie Catarina Caterina Catherine Cathy Cecilia Cedric Celeste Celia Celine Cemal Cesar Cesare Cezary Chandra " +
		"Charlene Charles Charlie Charlotte Chelsea Cheryl Chiara Chinedu Chloe Chloé Chris Christa Christian Christiane Christie " +
		"Christina Christine Christoph Christophe Christopher Christy Ciara Ciaran Cindy Claire Clara Clarence Claudia Claudio Clifford " +
		"Clint Clyde Clémence Clément Cody Colin Colleen Connie Connor Conrad Constance Constantin Cora Cordula Corentin Corey Corinna " +
		"Corinne Cornelia Cory Cosimo Courtney Craig Cristian Cristiano Cristina Curtis Cynthia Cyril Cécile Cédric Célina Céline " +
		"César Cüneyt Daan Dagmar Daisuke Dale Damian Damiano Damien Damon Dan Dana Daniel Daniela Daniele Danielle Danny Daphne Darius " +
		"Dariusz Darlene Darrell Darren Darryl Dave David Davide Dawid Deanna Debbie Deborah Debra Deepak Deepika Denis Denise Deniz " +
		"Dennis Derek Derrick Derya Desiree Destiny Detlef Devon Diana Diane Dianne Diego Dieter Dietmar Dilek Dimitri Dina Dirk Divya " +
		"Dmitri Dmitry Dolores Domenico Dominic Dominik Dominika Dominique Donald Donatella Donato Donna Dora Doreen Dorota Dorothea " +
		"Dorothy Doug Douglas Duane Duncan Dustin Dwayne Dwight Dylan Dörte Earl Ebru Eddie Edeltraud Edgar Edith Edmund Edoardo Eduard " +
		"Eduardo Edward Edwin Eero Eeva Egbert Egidio Egil Egon Ehrenfried Eike Eileen Eirik Eivind Ekaterina Elaine Eleanor Elena Eleni " +
		"Elias Elif Elijah Elisa Elisabeth Elisabetta Elise Eliza Elizabeth Eliška Ella Ellen Elliott Elodie Eloise Elsa Elżbieta " +
		"Emanuel Emanuele Emeka Emel Emil Emilia Emilie Emilio Emily Emine Emma Emmanuel Emmanuelle Emre Engin Enrico Enrique Enzo Ercan " +
		"Erdem Ergün Erhan Eric Erica Erich Erik Erika Erin Erkan Erkki Erna Ernest Ernesto Ernst Erwin Esa Esra Esteban Esther Ethan " +
		"Ethel Etienne Ettore Eugene Eugenia Eugène Eusebio Eva Evan Evelyn Ewa Ewan Ewelina Fabian Fabien Fabio Fabrice Fatih Fatima " +
		"Fatma Fausto Federica Federico Felicia Felicity Felipe Felix Femke Ferdinand Fergus Ferhat Fernanda Fernando Fikret Filip " +
		"Filippo Filiz Filomena Fiona Fiorella Flavia Flavio Florian Floyd Franca Frances Francesca Francesco Francine Francis Francisco " +
		"Franck Franco Frank Franklin František Franz Franziska François Françoise Fred Freddie Frederic Frederick Frederik Fredrik " +
		"Freya Frieda Friedhelm Friedrich Frits Fritz Fryderyk Frédéric Fulvio Gabriel Gabriela Gabriele Gabriella Gabrielle Gaetano " +
		"Gail Gareth Gary Gavin Gaël Geert Geir Geneviève Gennaro Geoff Geoffrey Georg George Georges Georgina Gerald Geraldine Gerard " +
		"Gerda Gerhard Gerlando Gerlinde Gerrit Gert Gertrude Giacinto Giacomo Gianluca Gianmarco Gianni Gilbert Gilles Gina Gino " +
		"Gioacchino Giordano Giorgia Giorgio Giovanna Giovanni Gisela Giulia Giulio Giuseppe Gladys Glen Glenda Glenn Gloria Gonca " +
		"Gonzalo Gordon Graziella Grażyna Greg Gregor Gregory Greta Grethe Grzegorz Grégoire Guadalupe Gudrun Guido Guilherme Guillaume " +
		"Guillermo Gunilla Gunnar Gunnel Gunter Gustav Gustavo Gwen Gwendolyn Gwyneth Gérard Gökhan Göran Götz Gül Gülay Gülsüm " +
		"Güneş Günter Günther Hakan Halil Halina Hamid Hamish Hana Hanna Hannah Hanneke Hannele Hannelore Hannes Hannu Hans Harald " +
		"Hari Harold Harriet Harriett Harry Hartmut Haruto Harvey Hasan Hassan Hatice Hazel Heath Heather Hector Hedwig Hege Heidi Heike " +
		"Heikki Heiko Heinrich Heinz Helen Helena Helene Helga Helge Helmi Helmut Hendrik Henk Hennie Henning Henny Henri Henrietta " +
		"Henrik Henrique Henry Herbert Herman Hermann Hilary Hilda Hildegard Hiltrud Hiroko Hiroshi Holger Holly Honoré Horst Howard " +
		"Hubert Hugh Hugo Humberto Hussein Hyun Håkan Håkon Håvard Héctor Hélène Hülya Hüseyin Hüsnü Ian Ibrahim Ida Ignacio " +
		"Ignacy Igor Ileana Ilkka Ilmari Ilona Ilse Imogen Imran Inga Inge Ingeborg Inger Ingo Ingrid Inés Irene Irina Irma Irmgard " +
		"Irmtraud Isaac Isabel Isabela Isabell Isabella Isabelle Isaiah Isla Ismael Ivan Ivana Ivar Ivo Iwona Jaakko Jaap Jacek Jackie " +
		"Jacob Jacopo Jacqueline Jacques Jaime Jakob Jakub Jamal James Jamie Jana Jane Janet Janice Janina Janine Janne Janneke Janusz " +
		"Jared Jari Jarmila Jaroslav Jarosław Jasmin Jasmine Jason Javier Jay Jayden Jean Jeanette Jeanne Jeannette Jeff Jeffery Jeffrey " +
		"Jelle Jen Jenna Jennifer Jenny Jens Jeremiah Jeremy Jermaine Jeroen Jerome Jerry Jerzy Jesse Jessica Jessie Jesus Jesús Jill " +
		"Jillian Jim Jimmy Jisoo Jitka Jiří Joan Joana Joanna Joanne Joaquin Joaquín Jochen Jodi Jody Joe Joel Joep Joerg Johan " +
		"Johanna Johannes John Johnathan Johnny Jolanda Jon Jonas Jonathan Joost Jorge Joris Jorunn Jose Josef Josefa Josefina Joseph " +
		"Josephine Josh Joshua Josip José Joséphine Jouni Joyce João Joël Juan Juana Judith Judy Juha Juhani Jukka Jules Julian " +
		"Juliana Julianne Julie Julien Juliet Juliette Julio Julita Julius Jurre Jussi Justin Justine Justyna Jutta Jérémy Jérôme " +
		"Jörg Jörgen Jörn Jürgen Jędrzej Kaarina Kacper Kadir Kai Kaisa Kaitlin Kaja Kajetan Kalina Kalle Kamal Kamil Karel Karen " +
		"Kari Karin Karina Karl Karla Karlheinz Karol Karolina Karsten Kasper Katarina Katarzyna Kate Katelyn Kateřina Katharina " +
		"Katherine Kathleen Kathrin Kathryn Kathy Katie Katja Katri Katrin Katrina Kavita Kayla Kazimierz Kazuki Kees Keiko Keith Kelly " +
		"Kelsey Kemal Ken Kendra Kenji Kenneth Kenny Kerem Kerstin Kevin Khadija Khalid Kim Kimberly Kiran Kirsi Kirsten Kjell Kjersti " +
		"Kjerstin Klaas Klaus Knut Koen Konrad Kornelia Krista Kristen Kristian Kristin Kristina Kristine Kristy Krystian Krystyna " +
		"Kryštof Krzysztof Kuno Kurt Kwame Kyle Käthe Lachlan Lakshmi Larissa Larry Lars Laszlo Latoya Laura Laure Lauren Laurence " +
		"Laurent Lauri Laurie Lawrence Lea Leah Leandro Lee Leena Leif Leila Lena Lenka Lennart Lenny Leo Leon Leona Leonard Leonardo " +
		"Leonie Leopold Leroy Leslie Leticia Letizia Levent Levi Leyla Liam Libuše Lidia Lieke Lieselotte Liisa Lillian Linda Lindsay " +
		"Lindsey Linnea Lisa Liv Liwia Lloyd Logan Lois Lola Lora Loredana Lorena Lorenz Lorenzo Loretta Lori Lorraine Lothar Lotte Louis " +
		"Louisa Louise Loïc Luana Luc Luca Lucas Lucia Luciana Luciano Lucie Lucille Lucy Lucía Ludmila Ludovic Ludovica Ludwig Ludwik " +
		"Luigi Luis Luisa Luise Luiz Luka Lukas Luke Lukáš Lutz Lydia Lynda Lyndsey Lynn Lynne László Maarit Maarten Maciej Mackenzie " +
		"Madeleine Madeline Magdalena Magnhild Magnus Maja Maks Maksymilian Malcolm Malin Mallory Malwina Mandy Manfred Manoj Manon " +
		"Manuel Manuela Manuele Mara Marc Marcel Marcela Marcelina Marcella Marcelle Marcelo Marcia Marcin Marcjanna Marco Marcos Marcus " +
		"Marek Margaret Margarete Margarita Margaux Margit Margot Marguerite Maria Mariagrazia Mariam Marian Mariana Marianita Marianne " +
		"Mariano Marie Marieke Mariella Marijke Marilyn Marina Mario Marion Marisa Marissa Marius Mariusz Marja Marjorie Markku Marko " +
		"Markus Markéta Marlene Marlies Marloes Marlon Marsha Marta Marte Martha Martin Martina Martine Marvin Mary Maryam Maryse María " +
		"Mateo Mateusz Mathias Mathieu Mathilde Mats Matt Matteo Matthew Matthias Matthieu Matti Mattia Maureen Maurice Mauricio Maurizio " +
		"Mauro Maxime Maximilian Maximiliano Maxine Małgorzata Mechthild Meena Megan Meghan Mehmed Mehmet Meike Melania Melanie Melek " +
		"Melinda Melissa Melvin Mercedes Meredith Merja Merve Metin Mia Micha Michael Michaela Michal Michał Micheal Michel Michela " +
		"Michelangelo Michele Michelle Michèle Mieke Mieszko Miguel Mika Mikael Mike Mikhail Mikko Mikołaj Milan Mildred Milena Miloš " +
		"Mindy Minh Minjun Minna Miranda Miriam Mirko Miron Miroslav Miroslaw Misty Mitchell Mohamed Mohammad Mohammed Moira Molly Mona " +
		"Monia Monica Monika Monique Morgane Moritz Morten Moshe Muhammad Muhammet Murat Muriel Mustafa Myriam Myrna Märta Mélanie " +
		"Mónica Nadia Nadine Nadja Nancy Naoko Naomi Natalia Natalie Natan Nataniel Natasha Nathalie Nathan Nathaniel Nazlı Neal Neha " +
		"Neil Nelson Nermin Ngozi Nguyen Niamh Nicholas Nick Nico Nicola Nicolas Nicole Nicolò Niek Niels Nienke Nigel Nikhil Niklas " +
		"Niko Nikodem Nikolai Nikolaos Nikos Nils Nina Noah Noam Noel Noemi Nomsa Nora Norbert Norma Norman Noémie Noël Nuno Nuray " +
		"Nurcan Nuri Octavio Océane Odette Okan Ola Olaf Olavi Oldřich Oleg Olga Olgierd Oliver Olivia Olivier Oliwia Olle Olof " +
		"Oluwaseun Omar Ondřej Onur Orhan Ornella Oskar Osman Osvaldo Oswald Otmar Ottilie Otto Outi Owen Paavo Pablo Padraig Pamela " +
		"Paola Paolo Pascale Pasquale Patrice Patricia Patricio Patrick Patrik Patrizia Patrizio Patryk Patty Paul Paula Paulette Paulina " +
		"Pauline Paulo Pavel Paweł Pedro Peggy Pekka Penelope Pentti Per-Olof Percy Perry Pertti Petar Pete Peter Petr Petra Petri " +
		"Philip Philipp Philippa Philippe Philippine Phillip Phyllis Pierangelo Piero Pierre Piet Pieter Pietro Pilar Piotr Pirjo Pirkko " +
		"Pooja Poppy Poul Prakash Priscilla Priya Priyanka Päivi Pınar Přemysl Rachael Rachel Radka Rafael Rafał Raffaele Ragnhild " +
		"Rahul Raimo Rainer Raj Rajesh Rakesh Ralf Ralph Ramazan Ramesh Ramon Ramón Randall Randi Randy Raphael Raquel Raul Ravi Raymond " +
		"Raúl Rebecca Rebekah Recep Regina Reginald Reijo Reiner Reinhard Reinhold Renata Renate Renato Rene Renee Renske René Rhys " +
		"Ricardo Riccardo Richard Rick Ricky Riitta Rita Ritva Rivka Robert Roberta Roberto Robin Rocío Roderick Rodney Rodolfo Rodrigo " +
		"Roel Roger Rohan Rohit Roksana Roland Rolf Romain Roman Ronald Ronda Ronnie Rosa Rosalba Rosalie Rosanna Rosario Rosemarie " +
		"Rosemary Rosolino Roswitha Roxanne Roy Rozalia Ruben Rubén Rudolf Ruggero Rupert Russell Rutger Ruth Ruud Ryan Ryszard Rémy " +
		"Róża Rüdiger Sabatino Sabine Sabri Sabrina Sakura Salih Sally Salvador Salvatore Sam Samantha Samir Samuel Samuele Sandeep " +
		"Sandra Sandro Sandy Sanjay Sanna Sanne Sara Sarah Sari Sascha Saskia Satoshi Satu Scott Sean Sebastian Sebastiano Sedat Selim " +
		"Selin Semra Seppo Serdar Serena Serge Sergei Sergey Sergio Serkan Seth Settimo Sevgi Shane Shannon Sharon Shaun Shawn Sheila " +
		"Shelby Shelley Sheri Sherri Sherry Shirley Shlomo Shreya Sibel Sibylle Sidney Siegbert Siegfried Siem Sigmund Sigrid Sigrun " +
		"Silje Silke Silvana Silvia Silvio Simon Simona Simone Sinan Sindre Sinead Sinikka Siobhan Sipho Sissel Sjoerd Sneha Sofia Sofie " +
		"Solveig Songül Sonia Sonja Sonya Sophia Sophie Stacey Stacie Stacy Stanislav Stanisław Stanley Stefan Stefania Stefanie " +
		"Stefano Steffen Stella Stephan Stephanie Stephen Steve Steven Stewart Stian Stijn Stuart Sture Stéphane Stéphanie Sunil Sunita " +
		"Suresh Susan Susana Susann Susanne Suzanne Svein Sven Svetlana Swantje Sylvain Sylvia Sylvie Sylwia Szymon Sébastien Søren " +
		"Tabitha Tadeusz Takashi Takeshi Takumi Tamara Tammy Tanja Tanya Tapani Tapio Tara Tarja Tatiana Tatjana Ted Teemu Teresa Tereza " +
		"Teri Terje Tero Terrance Terrence Terri Terry Thabo Thanh Thelma Theo Theodor Theodore Theresa Thibault Thibaut Thierry Thijs " +
		"Thomas Thorsten Théodore Thérèse Tiffany Tijmen Tijn Tilo Tim Timo Timothy Timothée Tina Tineke Tiziana Tobias Toby Todd " +
		"Tola Tolga Tom Tomas Tomasz Tommaso Tommy Tomás Tomáš Toni Tony Tonya Tor Torben Torbjörn Torbjørn Tormod Torstein Torsten " +
		"Tracey Traci Tracy Traute Trevor Tristan Trond Troy Trude Tunde Tuomas Turgut Turid Tuula Tuğba Tyler Tymon Tymoteusz Tyrone " +
		"Ubaldo Udo Ufuk Ulf Ulla Ulrich Ulrike Umberto Umut Unni Ursula Ute Uwe Vadim Valentin Valentina Valentine Valentino Valeria " +
		"Valerie Valérie Vanessa Vegard Veit Vera Vernon Veronica Veronika Verónica Vicente Vicki Vickie Vicky Victoria Vidar Vijay " +
		"Vikram Viktor Viktoria Ville Vincent Vincenza Vincenzo Viola Violeta Virginie Vishal Vittoria Vittorio Vivek Viveka Vivian " +
		"Viviana Vivien Vladimir Vladimír Vojtěch Volkan Volker Václav Véronique Věra Wacław Walburga Waldemar Walter Waltraud " +
		"Wanda Wayne Wendy Wenzel Werner Wesley Wessel Whitney Wiebke Wiktoria Wilfried Wilhelm Willem Willemijn William Willie Wilma Wim " +
		"Winfried Winifred Winston Witold Wojciech Wolfgang Wolfram Wouter Xavier Xiaoming Ximena Yael Yann Yannick Yasemin Yasmin Yavuz " +
		"Yeliz Yngve Yoko Yolanda Youssef Yuki Yuko Yumi Yuri Yusuf Yves Yvette Yvonne Yüksel Yıldız Zacharie Zachary Zaira Zanele " +
		"Zara Zbigniew Zdeněk Zehra Zeki Zeliha Zeynep Zita Zoe Zofia Zoltán Zoé Zoë Zuzana Zuzanna Åge Åke Åsa Åse Çağlar " +
		"Édith Édouard Élise Élodie Émile Éric Étienne Ömer Örjan Özge Özlem Øystein Øyvind Ünal İbrahim İlhan İsmail " +
		"Łukasz Şeref Şerife Şükrü Šárka"},
	{surname, "Abbott Acosta Adamczyk Adams Adeyemi Aguilar Ahonen Allison Alvarado Alvarez Andersen Anderson Andersson Andrews Arias Armstrong " +
		"Arnold Arslan Aslan Atkins Austin Avila Aydın Bailey Baker Bakke Bakken Bakker Baldwin Banerjee Baran Barbieri Barker Barnes " +
		"Barnett Barrett Barros Bauer Baumann Bautista Beck Becker Beneš Bennett Benson Berge Berger Bergmann Bernard Bernardi Berry " +
		"Bertrand Bianchi Bishop Blanc Boateng Bonnet Bos Bowman Boyd Brandt Braun Brewer Briggs Brooks Brouwer Bruno Bryant Bui Burgess " +
		"Burke Burnett Burton Böhm Bąk Cabrera Caldwell Campbell Campos Carbone Carlson Carpenter Carr Carrillo Carroll Carter Caruso " +
		"Castillo Castro Cattaneo Cervantes Chambers Chan Chang Chapman Charles Chavez Christensen Christiansen Chávez Cieślak Clark " +
		"Clarke Clement Cohen Coleman Collins Colombo Conte Contreras Cooper Correia Cortes Costa Cox Crawford Cruz Cunningham Czarnecki " +
		"Dahl Dang Daniels Davidson Davies Davis Dawson Dekker Delgado Deluca Demir Dias Diaz Dietrich Dijkstra Dixon Dlamini Do " +
		"Dominguez Domínguez Doyle Doğan Dubois Duda Dudek Dufour Duncan Dunn Duong Dupont Duran Durand Dvořák Díaz Dąbrowski " +
		"Edwards Eide Eklund Elliott Ellis Engel Eriksen Eriksson Espinoza Esposito Estrada Evans Fabre Farrell Ferguson Fernandes " +
		"Fernandez Fernando Fernández Ferrari Ferreira Fiala Figueroa Fischer Fisher Fitzgerald Fleming Fletcher Flores Fontaine Fontana " +
		"Ford Foster Fournier Franke Fraser Frazier Freeman Friedman Friedrich Fuchs Fuentes Fuller Gallagher Gallardo Galli Gallo Garcia " +
		"García Gardner Garner Garrett Garza Gatti Gauthier George Gibson Gilbert Giordano Girard Glover Goldberg Gomes Gomez Gonzales " +
		"Gonzalez González Gonçalves Goodwin Graham Gray Greco Greene Griffin Griffith Gross Guerin Guerrero Gupta Gustafsson Gutierrez " +
		"Gutiérrez Guzman Guzmán Gómez Głowacki Haas Haddad Hagen Hahn Hall Halvorsen Hamilton Hammond Hansen Hanson Hansson Hardy " +
		"Harper Harrington Harris Harrison Hart Hartmann Harvey Haugen Hawkins Hayashi Hayes Heikkilä Heikkinen Heinonen Heinrich " +
		"Henderson Hendriks Henriksen Henry Hernandez Hernández Herrera Herrmann Higgins Hirvonen Hoang Hodges Hoekstra Hoffman Hoffmann " +
		"Hofmann Holm Holmes Hoover Hopkins Horn Horvath Horváth Horák Hossain Hosseini Howard Hubbard Huber Hudson Hughes Huisman " +
		"Ibarra Ingram Inoue Ivanov Ivanova Iversen Jacobs Jacobsen Jakobsen James Jankowski Jansen Janssen Jansson Jaworski Jennings " +
		"Jensen Jimenez Jiménez Johannessen Johansen Johansson Johnson Johnston Jokinen Jones Jordan Joseph Jung Jäger Järvinen " +
		"Jørgensen Kaiser Kaminska Kaminski Kamiński Kangas Kara Karjalainen Karlsson Katz Kaur Kaya Keller Kelley Kelly Kennedy Khan " +
		"Kim Kimura Kinnunen Klein Knight Knutsen Kobayashi Koch Koenig Kok Koning Korhonen Koskinen Koster Kovacs Kovács Kowalska " +
		"Kowalski Kozłowski Koç Kołodziej Kramer Krause Krawczyk Kruger Král Krämer Król Krüger Kubiak Kuhn Kuipers Kumar Kurt " +
		"Kučera Köhler König Kühn Kılıç Lahtinen Laine Laitinen Lambert Lang Lange Larsen Larson Larsson Laurent Lawson Le Leblanc " +
		"Leclerc Lefebvre Lefevre Legrand Lehmann Lehtonen Lepistö Leroy Levy Lewandowski Lewis Li Lie Lien Lim Lin Lindberg Lindgren " +
		"Lindström Lis Liu Lombardi Lombardo Longo Lopes Lorenz Lucas Ludwig Lund Lundgren Lynch López Maciejewski Madsen Mahmoud Maier " +
		"Maldonado Malinowski Malone Mancini Marchetti Marek Mariani Marino Marques Marquez Marsh Marshall Martin Martinez Martini " +
		"Martino Martins Martínez Marín Mason Masson Mathieu Matthews Mattila Mayer Mazur Mazza McCarthy McCoy McDonald McKenzie " +
		"McLaughlin Medina Mehta Meier Meijer Mejia Mendes Mendez Mendoza Mensah Mercier Meyer Meyers Michaud Miller Mills Miranda Mishra " +
		"Mitchell Moen Molina Montgomery Monti Moore Morales Moreau Moreira Morel Moreno Moretti Morgan Morin Morris Morrison Morrow " +
		"Moser Moyo Mueller Mulder Mullins Munoz Murphy Murray Muñoz Myers Márquez Mäkinen Møller Müller Nakamura Navarro Nelson " +
		"Neumann Newman Ngo Nguyen Nichols Nicolas Nielsen Niemi Nieminen Nilsen Nilsson Nkosi Novak Novotná Novotný Novák Nowak " +
		"Nowakowski Nowicki Nunes Nunez Núñez Němec O'Brien O'Connor O'Neill O'Sullivan Obrien Ochoa Ojanen Okafor Oliveira Oliver " +
		"Olsen Olson Olsson Ortega Ortiz Ortíz Osborne Ostrowski Owens Pacheco Padilla Pages Palmer Palumbo Papadopoulos Parisi Park " +
		"Parker Parsons Patel Patterson Paul Pawlak Pedersen Pellegrini Pereira Perera Pereyra Perez Perkins Perrin Persson Peters " +
		"Petersen Peterson Petersson Petrov Petrova Pettersson Pham Phillips Picard Pierce Pinto Pohl Pope Popescu Popov Porter " +
		"Pospíšil Postma Powell Powers Prins Procházka Pérez Quinn Rahman Ramirez Ramos Ramsey Ramírez Rantanen Rasmussen Reddy Reed " +
		"Reid Reilly Reyes Reynolds Ribeiro Ricci Richards Richardson Richter Rinaldi Rios Riva Rivas Rivera Rizzi Rizzo Roberts " +
		"Robertson Robinson Robles Rocha Rodgers Rodrigues Rodriguez Rodríguez Rogers Rojas Romano Romero Room Rosales Rosario Ross " +
		"Rossi Rousseau Roussel Roux Rubio Ruiz Russo Ruud Ryan Ríos Růžička Saarinen Salazar Salinas Salminen Salo Salonen Salvador " +
		"Sanchez Sanders Sandoval Sanna Santana Santiago Santoro Santos Sanz Sartori Sato Satō Sauer Saunders Savolainen Schaefer " +
		"Schmidt Schmitt Schmitz Schneider Scholz Schouten Schreiber Schroeder Schröder Schubert Schultz Schulz Schulze Schumacher " +
		"Schuster Schwartz Schwarz Schäfer Scott Sedláček Seidel Serra Serrano Shah Shapiro Sharma Shaw Sherman Shimizu Sikora Silva " +
		"Simmons Simonsen Simpson Singh Smirnov Smirnova Smit Smith Smits Snyder Soares Sobczak Solberg Solis Sorrentino Soto Sousa Souza " +
		"Spencer Stein Steiner Stephens Stevens Stevenson Stewart Stokes Strand Strøm Stępień Suarez Sullivan Sutton Suzuki Suárez " +
		"Svensson Swanson Szabó Szewczyk Szymański Sánchez Takahashi Tanaka Taylor Teixeira Testa Thomas Thompson Thomsen Thomson " +
		"Thornton Tkachenko Torres Townsend Tran Trujillo Tucker Tuominen Turner Turunen Underwood Urban Valdez Valencia Valentini Vance " +
		"Vargas Vasquez Vazquez Veenstra Vega Velasquez Vermeulen Veselý Vidal Vieira Villa Villanueva Virtanen Visser Vitale Vo Vogel " +
		"Vogt Volkov Vos Vásquez Vázquez Väisänen Wagner Wallace Walsh Walter Walters Walton Wang Ward Warren Washington Watanabe " +
		"Watkins Watson Weaver Weber Webster Weiss Welch Werner Whitehead Wieczorek Wilkins Wilkinson Willems Williams Williamson Willis " +
		"Wilson Winkler Wiśniewska Wiśniewski Wolf Wolff Wong Woźniak Wright Wróbel Wu Wójcik Włodarczyk Xu Yamada Yamaguchi " +
		"Yamamoto Yang Yoshida Young Yu Yıldırım Yıldız Yılmaz Zając Zamora Zapata Zhang Zhao Zhou Zieliński Zimmer Zimmerman " +
		"Zimmermann Zuniga Álvarez Çelik Çetin Özdemir Özkan Öztürk Černý Şahin Şimşek"},
	{doubtful, "Abbott Ada Alba Albin Alexandria Alfa Alma Amber Angel April Art August Aurora Autumn Avery Axel Baker Beck Berry Bill Bishop " +
		"Blake Bos Brady Brandy Brewer Brook Brooke Brooks Bruno Candy Carlson Carpenter Carter Cedar Celeste Chad Chambers Chance Chang " +
		"Charlotte Chase Chelsea Chen Chip Christian Claude Clay Clement Cliff Constance Conte Cooper Costa Cox Cruz Crystal Daisy Dakota " +
		"Dale Dallas Dawn Dean Destiny Devin Devon Dick Don Drew Eden Eide Ellis Elm Engel Ernie Eve Faith Fay Felicity Fisher Fleming " +
		"Florence Ford Francis Fuchs Gale Gallo Gene Georgia Ginger Grace Grant Gray Gross Guy Hagen Hal Hall Hamilton Hank Hardy Harmony " +
		"Harper Hart Haven Hayden Hazel Heath Heather Heaven Holly Hoover Hope Horn Hudson Hunter India Iris Israel Ivo Ivy Jack Jackson " +
		"Jade Jake Jan Jasmin Jasmine Jasper Jesus Jewel Jewell Jin Jo Jordan Joy Judge Julia Jun June Jung Justice Kai Kaiser Kara Kelly " +
		"Kelvin Ken Kent Khan Kim Kirk Kit Klein Knight Koch Kurt Lance Lane Lang Lange Laurel Lea Lee Leo Li Lie Lily Lim Lin Liu Liv " +
		"Logan Longo Lou Madison Mai Major Manual Mar Marek Marina Mark Marsh Marshall Mason Max May Mei Melody Mercy Merit Miles Mills " +
		"Milo Miranda Misty Mona Monti Morgan Myrtle Nelson Newman Norman Nova Olive Oscar Pages Palmer Pam Paris Park Parker Pascal " +
		"Pascale Pat Patience Pearl Penny Perry Peyton Pinto Pip Pope Porter Powers Prince Prins Quinn Ray Reagan Reed Regina Rex Rich " +
		"Riley Rios Riva River Rob Robby Robin Rocha Rocky Rod Roman Ron Rosario Rose Rosie Rowan Ruby Rust Sage Salem Salo Salvador Sam " +
		"Sandy Santiago Sauer Savannah Sawyer Scarlett Serra Sierra Singh Skip Sky Skylar Skyler Sofia Sonny Spencer Stanley Stein Stella " +
		"Sterling Stone Strand Sue Summer Sunny Sydney Tanner Tara Tatiana Tatum Taylor Testa Travis Trinity Tripp Troy Valencia Van " +
		"Vance Vega Vera Victor Victoria Villa Viola Violet Violeta Virginia Vogel Vos Wade Ward Warren Washington Wei Whitney Will " +
		"Wilson Winter Wolf Woody Wren Xu Young Yu"},
	{honorific, "Capt Captain Dhr Doctor Dott Dottor Dottoressa Dr Frau Fru Fröken Herr Herrn Imam Madam Madame Mademoiselle Meneer Mevr Mevrouw " +
		"Miss Mlle Mme Monsieur Mr Mrs Ms Mx Pani Prof Professor Rabbi Rev Reverend Senator Senhor Senhora Señor Señora Señorita Sgt " +
		"Signor Signora Signore Sir Sra Srta"},
	{greeting, "Cher Chère Dear Estimada Estimado Geachte Gentile Kjære Kära Kære Liebe Lieber Prezada Prezado Querida Querido"},
	{salute, "Hallo Hi Hello Hey Bonjour Hola Ciao Olá Beste Caro Cara Hej Hoi Cześć Salut"},
	{farewell, "Regards Sincerely Best Thanks Cheers Yours Respectfully Cordially Cordialement Saludos Grüße Grüßen Gruß Groeten Truly " +
		"Faithfully Wishes Love Thx Warmly Gratefully Hälsningar Hilsen Atenciosamente Atentamente Saluti Pozdrawiam"},
	{function, "A About Above According Admin After Again Against All Als Also Although Am Among An And Another Any Are As At Auf Aus Be Because " +
		"Been Before Bei Being Below Between Both But By Can Cannot Chair Chairman Client Colleague Colleagues Community Could Customer " +
		"Da Das Day De December Der Des Despite Developer Did Die Do Doctor Does Du During Each Editor Een Ein Eine Either El En Er Es Et " +
		"Even Every Everybody Everyone February Few First Folks Following For Friday Friend Friends From Further Für Given Gli Go " +
		"Grüße Grüßen Guys Had Has Have He Her Here Hers Het Hiring His How However I If Ihr Il Im In Indeed Instead Into Is It Its " +
		"January July June Just Kitty La Las Last Later Le Les Let Like Lo Los Madam Many March May Me Meanwhile Member Members Might " +
		"Minister Mit Monday More Most Much Must My Nach Neither Never New Next No Nor Not Note Nothing November Now October Of Off Often " +
		"On Once One Only Or Other Otherwise Our Out Over Own Per Perhaps Please President Professor Rather Reader Same Saturday " +
		"Secretary See September She Should Sie Since Sir Sirs So Some Speaker Still Student Students Such Sunday Support Team Than Thank " +
		"Thanks That The Their Them Then There Therefore These They This Those Though Thursday Thus To Today Too Tuesday Two Un Und Under " +
		"Une Unless Until Up Us Use User Users Very Von Was We Wednesday Well Were What When Where Whether Which While Who Whom Whose Why " +
		"Wie Wir With Within Without World Would Y Yes Yesterday Yet You Your Zum Zur Über"},
	{geography, "Lake Mount Mt Fort Port Saint St San Santa Santo North South East West Northern Southern Eastern Western Upper Lower Old Great " +
		"Little River Cape Camp Point Hotel Restaurant Château Villa Via Rue King Queen Pope Operation Project Hurricane Type Class Team " +
		"Monte Battle Treaty Duke Earl HMS USS"},
	{body, "Inc LLC Ltd GmbH AG Corp Corporation Co Company University College School Institute Institut Hospital Street Avenue Road Park " +
		"Airport Bridge River Lake Prize Award Foundation Museum Library Center Centre Church Cathedral Island Islands County City Bay " +
		"Beach Square Stadium Theorem Day Bank Group Press Records Motors Theatre Theater Station Palace Castle Hall House Hotel Field " +
		"Hill Hills Mountain Mountains Valley Peninsula Formation Creek Springs Township District Province State States Tower Building " +
		"Test Tests Effect Equation Law Laws Rule Rules Method Methods Criterion Hypothesis Conjecture Lemma Theory Process Transform Series " +
		"Sampling Equilibrium Paradox Syndrome Disease Detector Filter Constant Principle Problem Multipliers Coding Algorithm Distribution Inequality " +
		"Number Numbers Function Space Model Act Bill Committee " +
		"Commission Awards Cup Trophy League Club Band Album Show Studio Studios Pictures Films Entertainment Airlines Systems " +
		"Technologies Solutions Software Brothers Bros Sons Partners Associates Holdings Empire Dynasty Army War Battle Code API SDK " +
		"Server"},
	{roadLast, "Brae Copse Croft Paddock Parade Wynd Skyway Alley Aly Av Ave Avenue Bend Bluff Blvd Boulevard Broadway Bypass Canyon Causeway Cir " +
		"Circle Close Court Cove Creek Cres " +
		"Crescent Crest Crossing Ct Dr Drive Esplanade Estate Estates Expressway Expy Falls Ferry Forge Freeway Gardens Glen Grove " +
		"Heights Highway Hill Hollow Hwy Junction Knoll Knolls Landing Lane Ln Loop Manor Meadows Mews Mill Motorway Orchard Overpass " +
		"Parkway Pike Pines Pkwy Pl Place Plaza Plz Quay Rd Rdg Ridge Road Roads Row Shore Shores Sq Square St Stravenue Street Streets " +
		"Summit Ter Terrace Throughway Trail Trl Turnpike Underpass Viaduct Villages Vista Walk Way Xing"},
	{roadFirst, "Acceso Alameda Aleja Allée Avda Avenida Avenue Borgo Boulevard Calle Callejón Camino Carrer Carretera Chemin Contrada Corso " +
		"Cours Estrada Glorieta Impasse Incrocio Largo Pasaje Paseo Passeig Piazza Piazzale Plac Place Plaza Praça Quai Rambla Rodovia " +
		"Ronda Rotonda Rua Rue Strada Travessa Ulica Via Viale Vicolo"},
}

// kinds tells what a capitalised word may be; one that several lists have may be all of it.
var kinds = kindIndex()

func kindIndex() map[string]kind {
	index := make(map[string]kind)
	for _, k := range kindWords {
		for word := range strings.FieldsSeq(k.words) {
			index[word] |= k.kind
		}
	}
	for word, k := range index {
		if k&doubtful != 0 {
			index[word] &^= given
		}
	}
	return index
}
