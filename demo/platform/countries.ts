/** A name in its own script and in that of a machine-readable document. */
export interface Name {
  native: string
  roman: string
}

export interface Country {
  name: string
  /** As on a document (ISO 3166, three letters). */
  code: string
  phone: string
  mail: string
  women: Name[]
  men: Name[]
  families: Name[]
  /** The relative number of members from this country. */
  weight: number
}

const romanLetters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  æ: 'ae',
  ı: 'i',
  ð: 'd',
  þ: 'th',
}
const romanise = (native: string) =>
  native.normalize('NFKD').replace(/[^\u0020-\u007e]/g, (letter) => romanLetters[letter] ?? '')

/** Parses `José Ana_María 王=Wang`: blanks separate names, `_` is a blank inside a name, `=` comes before its Latin form. */
const parseNames = (list: string): Name[] =>
  list.split(' ').map((entry) => {
    const [native = '', roman] = entry.replaceAll('_', ' ').split('=')
    return { native, roman: roman ?? romanise(native) }
  })

type CountryRow = [
  name: string,
  code: string,
  phone: string,
  mail: string,
  weight: number,
  women: string,
  men: string,
  families: string,
]

const rows: CountryRow[] = [
  [
    'Portugal',
    'PRT',
    '+351 9',
    'correio',
    9,
    'Maria Inês Beatriz Leonor Matilde Conceição',
    'João Tomás Duarte Gonçalo Rui Simão',
    'Silva Santos Ferreira Gonçalves Araújo Magalhães Conceição Brandão',
  ],
  [
    'Spain',
    'ESP',
    '+34 6',
    'correo',
    8,
    'Lucía María_José Begoña Nuria Carmen Inés',
    'José Álvaro Íñigo Javier Raúl Martín',
    'García Muñoz Ibáñez Fernández Núñez Ortega Peña Domínguez',
  ],
  [
    'Germany',
    'DEU',
    '+49 15',
    'post',
    9,
    'Anna Jördis Käthe Lena Sophie Hannelore',
    'Jürgen Björn Lukas Matthias Sören Felix',
    'Müller Weiß Schäfer Groß Böhm Köhler Neumann Schröder',
  ],
  [
    'France',
    'FRA',
    '+33 6',
    'courriel',
    7,
    'Chloé Zoé Hélène Amélie Françoise Margaux',
    'François Étienne Loïc Jérôme Benoît Hugo',
    'Lefèvre Garçon Bélanger Dubois Moreau Chevalier Gauthier Noël',
  ],
  [
    'Poland',
    'POL',
    '+48 5',
    'poczta',
    6,
    'Zofia Małgorzata Agnieszka Łucja Hanna Żaneta',
    'Paweł Łukasz Michał Stanisław Jan Wojciech',
    'Nowak Wójcik Dąbrowska Krawczyk Żuraw Zieliński Kamiński Błaszczyk',
  ],
  [
    'Brazil',
    'BRA',
    '+55 119',
    'correio',
    8,
    'Júlia Antônia Larissa Letícia Débora Ana_Clara',
    'Caetano Antônio Thiago Luís Otávio Murilo',
    'Souza Assunção Carvalho Araújo Nogueira Falcão Teixeira Prado',
  ],
  [
    'Türkiye',
    'TUR',
    '+90 53',
    'posta',
    5,
    'Ayşe Gülşen Zeynep Çiğdem Özlem Defne',
    'Ömer Çağlar Uğur İbrahim Emre Kaan',
    'Yılmaz Öztürk Çelik Şahin Koçak Aydın Güneş Doğan',
  ],
  [
    'Sweden',
    'SWE',
    '+46 7',
    'brev',
    4,
    'Åsa Linnéa Ingrid Märta Ebba Saga',
    'Björn Göran Åke Nils Håkan Axel',
    'Ångström Lindqvist Sjöberg Öberg Nyström Hallström Bergman Åkerlund',
  ],
  [
    'Nigeria',
    'NGA',
    '+234 80',
    'mail',
    5,
    'Adaeze Yétúndé Ngozi Fọláké Amina Chinwe',
    'Chukwuemeka Babajídé Tunde Ìdòwú Emeka Musa',
    'Okafor Adébáyọ̀ Eze Balogun Ọláwálé Nwosu Danjuma Okonkwo',
  ],
  [
    'Viet Nam',
    'VNM',
    '+84 9',
    'thu',
    6,
    'Hương Thảo Ngọc_Anh Mỹ_Linh Phượng Tuyết',
    'Đức Minh Quốc_Bảo Hữu_Phước Tuấn Dũng',
    'Nguyễn Trần Phạm Đặng Hoàng Võ Bùi Lê',
  ],
  [
    'Ukraine',
    'UKR',
    '+380 6',
    'poshta',
    6,
    'Олена=Olena Оксана=Oksana Ірина=Iryna Наталія=Nataliia Юлія=Yuliia Ганна=Hanna',
    'Андрій=Andrii Тарас=Taras Богдан=Bohdan Олексій=Oleksii Юрій=Yurii Дмитро=Dmytro',
    'Шевченко=Shevchenko Коваленко=Kovalenko Мельник=Melnyk Бондаренко=Bondarenko Ткачук=Tkachuk Лисенко=Lysenko Гончар=Honchar',
  ],
  [
    'Bulgaria',
    'BGR',
    '+359 8',
    'poshta',
    3,
    'Иванка=Ivanka Мария=Mariya Десислава=Desislava Радка=Radka Цветана=Tsvetana',
    'Георги=Georgi Димитър=Dimitar Стоян=Stoyan Петър=Petar Христо=Hristo',
    'Петров=Petrov Иванов=Ivanov Тодоров=Todorov Колев=Kolev Стоянов=Stoyanov Василев=Vasilev',
  ],
  [
    'Greece',
    'GRC',
    '+30 69',
    'tachydromio',
    4,
    'Ελένη=Eleni Μαρία=Maria Σοφία=Sofia Κατερίνα=Katerina Δέσποινα=Despoina',
    'Γιώργος=Giorgos Νίκος=Nikos Δημήτρης=Dimitris Κώστας=Kostas Ανδρέας=Andreas',
    'Παπαδόπουλος=Papadopoulos Νικολάου=Nikolaou Γεωργίου=Georgiou Οικονόμου=Oikonomou Δημητρίου=Dimitriou Βασιλείου=Vasileiou',
  ],
  [
    'United Arab Emirates',
    'ARE',
    '+971 5',
    'bareed',
    5,
    'فاطمة=Fatima مريم=Maryam ليلى=Layla نور=Noor عائشة=Aisha',
    'محمد=Mohammed عمر=Omar خالد=Khalid يوسف=Yousef أحمد=Ahmed',
    'المنصوري=Almansoori الهاشمي=Alhashimi النعيمي=Alnuaimi الحداد=Alhaddad الشامسي=Alshamsi السويدي=Alsuwaidi',
  ],
  [
    'Egypt',
    'EGY',
    '+20 10',
    'bareed',
    4,
    'سلمى=Salma هبة=Heba ياسمين=Yasmin منى=Mona دينا=Dina',
    'مصطفى=Mostafa كريم=Karim حسن=Hassan طارق=Tarek محمود=Mahmoud',
    'إبراهيم=Ibrahim السيد=Elsayed فؤاد=Fouad رمضان=Ramadan سليمان=Soliman نصر=Nasr',
  ],
  [
    'Israel',
    'ISR',
    '+972 5',
    'doar',
    4,
    'נועה=Noa תמר=Tamar שירה=Shira יעל=Yael מיכל=Michal',
    'דוד=David יוסף=Yosef איתי=Itay אורי=Uri אלון=Alon',
    'כהן=Cohen לוי=Levi מזרחי=Mizrahi פרץ=Peretz אברהם=Avraham שפירא=Shapira',
  ],
  [
    'China',
    'CHN',
    '+86 13',
    'youxiang',
    6,
    '秀英=Xiuying 丽=Li 雪梅=Xuemei 婷=Ting 小红=Xiaohong',
    '伟=Wei 建国=Jianguo 志强=Zhiqiang 明=Ming 小龙=Xiaolong',
    '王=Wang 李=Li 张=Zhang 刘=Liu 陈=Chen 杨=Yang 欧阳=Ouyang',
  ],
  [
    'Japan',
    'JPN',
    '+81 90',
    'yubin',
    5,
    '陽菜=Hina 美咲=Misaki さくら=Sakura 結衣=Yui 恵子=Keiko',
    '健太=Kenta 翔=Sho 大輔=Daisuke 拓海=Takumi 誠=Makoto',
    '佐藤=Sato 鈴木=Suzuki 高橋=Takahashi 田中=Tanaka 渡辺=Watanabe 山本=Yamamoto 小林=Kobayashi',
  ],
  [
    'Korea',
    'KOR',
    '+82 10',
    'upyeon',
    5,
    '서연=Seoyeon 지우=Jiwoo 민서=Minseo 하은=Haeun 수빈=Subin',
    '민준=Minjun 도윤=Doyun 현우=Hyunwoo 지훈=Jihoon 성민=Sungmin',
    '김=Kim 이=Lee 박=Park 최=Choi 정=Jung 강=Kang 윤=Yoon',
  ],
  [
    'India',
    'IND',
    '+91 98',
    'dak',
    6,
    'प्रिया=Priya अनीता=Anita सुनीता=Sunita काव्या=Kavya दीपिका=Deepika',
    'अमित=Amit राजेश=Rajesh विक्रम=Vikram संजय=Sanjay अर्जुन=Arjun',
    'शर्मा=Sharma गुप्ता=Gupta सिंह=Singh वर्मा=Verma पटेल=Patel मिश्रा=Mishra',
  ],
  [
    'Thailand',
    'THA',
    '+66 8',
    'mail',
    2,
    'สมศรี=Somsri มาลี=Malee วันดี=Wandee กัญญา=Kanya',
    'สมชาย=Somchai วิชัย=Wichai ธนา=Thana ประเสริฐ=Prasert',
    'ใจดี=Jaidee ศรีสุข=Srisuk ทองดี=Thongdee บุญมา=Boonma',
  ],
  [
    'Georgia',
    'GEO',
    '+995 59',
    'posta',
    2,
    'ნინო=Nino მარიამ=Mariam თამარ=Tamar ანა=Ana',
    'გიორგი=Giorgi ლევან=Levan დავით=Davit ზურაბ=Zurab',
    'ბერიძე=Beridze კაპანაძე=Kapanadze გელაშვილი=Gelashvili',
  ],
  [
    'Ireland',
    'IRL',
    '+353 8',
    'post',
    4,
    'Aoife Siobhán Niamh Gráinne Orla Róisín',
    'Seán Pádraig Cillian Oisín Liam Eoin',
    "O'Brien Ó_Súilleabháin Byrne Kelly Nic_Dhomhnaill Walsh Doyle",
  ],
]

export const countries: readonly Country[] = rows.map(([name, code, phone, mail, weight, women, men, families]) => ({
  name,
  code,
  phone,
  mail: `${mail}.example`,
  weight,
  women: parseNames(women),
  men: parseNames(men),
  families: parseNames(families),
}))
