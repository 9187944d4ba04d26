"""The words of days and times in English, Hinglish and Hindi, each with a one-letter sort and a value.

Letters instead of names: a text becomes a string of them, and the phrases are patterns over it (`times`, `days`,
`durations`). Sorts: D a day from today, J tonight, K kal and its kin, W weekday, M month, P part of the day, Z noon and
midnight, U second to hour, V day to year, E weekend, X next, this, last, S now, B baje, A am and pm, b bajkar, j bajne,
> after now, < before now, t tarikh, r end or start, H half, Q quarter, p past, z to, s se, u until, k ko, c par,
m mein, e ka, v ke liye, w wala, i in, y after, l before, a at, q on, f for, h the, g of, & and, ! not, G alarm,
C what is set by a bare number, n a number only beside a unit, o any other word. `time_tokens` adds N number, F broken
number, O ordinal, T and L time, I date, - and |.
"""

from functools import lru_cache

from ira_home.domain.language.phonetic import key
from ira_home.domain.language.words import fold

Value = int | str | tuple[int, int] | None

MORNING, AFTERNOON, EVENING, NIGHT = "morning", "afternoon", "evening", "night"
EARLY, LATE = "early", "late"

# A word with "~" is also known by its sound, in spellings that are not listed.
_TABLE = """
D 0: today todays tdy 2day aaj aj aaaj आज टुडे
D 1: tomorrow tommorow tommorrow tomorow tomorro tomarrow tommorw tomorrrow tmrw tmr tmrrw tmro tmrow 2moro 2morrow 2mrw टुमारो टुमॉरो
D -1: yesterday yesturday yesterdy yestarday yday येस्टरडे
J 0: tonight tonite 2nite 2night tonigt टुनाइट
K 1: kal kl kall कल
K 2: ~parson parso parsoo parsoon parsun parsu prso परसों परसो
K 3: narson narso tarson tarso नरसों तरसों
S 0: now abhi abhii abi अभी
W 0: monday mon mondays munday mandey ~somvar ~somwaar सोमवार मंडे
W 1: tuesday tue tues tuseday teusday ~mangalvar ~mangalwaar मंगलवार ट्यूजडे ट्यूसडे
W 2: wednesday wed weds wendesday wednessday wensday wednsday ~budhvar ~budhwaar बुधवार वेडनेसडे वेन्सडे वेडनसडे
W 3: thursday thu thur thurs thrusday thersday ~guruvar ~guruwaar ~brihaspativar ~brihaspatiwaar brihaspati brihaspat veervar virvar veerwar jumerat गुरुवार गुरूवार बृहस्पतिवार बृहस्पति वीरवार थर्सडे
W 4: friday fri firday fryday ~shukravar ~shukrawaar ~shukrvar jumma शुक्रवार फ्राइडे फ्राईडे
W 5: saturday saterday saturdy ~shanivar ~shaniwaar shanichar sanichar शनिवार शनिचर सैटरडे सेटरडे सैटर्डे
W 6: sunday sundey sandey ~ravivar ~raviwaar ~itvaar ~itwaar etwaar etwar रविवार इतवार संडे
M 1: january janvari janwari जनवरी
M 2: february feb febuary feburary farvari farwari फरवरी फ़रवरी
M 3: मार्च
M 4: apr aprail अप्रैल
M 6: jun joon जून
M 7: july jul julai जुलाई
M 8: august aug agast अगस्त
M 9: september sept sep sitambar sitamber सितंबर सितम्बर
M 10: october oct aktubar aktoobar octobar अक्टूबर अक्तूबर
M 11: november nov navambar navamber नवंबर नवम्बर
M 12: december dec disambar disamber decembar दिसंबर दिसम्बर
P early: tadke tarke tadkey tarkey bhor dawn तड़के भोर
P morning: subah suba subha subeh subhe subhah savere sawere sabere swere morning mornin mrng mrning सुबह सवेरे सबेरे प्रातः मॉर्निंग
P afternoon: ~dopahar dopahr dophar dopehar dopeher dopaher dupahar dupehar dophr duphar dopahri dophari afternoon aftrnoon afternon दोपहर दुपहर आफ्टरनून
P evening: shaam shaams saam sandhya evening evng evning evenin शाम सायं संध्या इवनिंग ईवनिंग
P night: raat raath raatri night nite nights रात रात्रि नाइट
Z 12: noon midday नून
Z 0: midnight मिडनाइट
B 0: baje bje bajey bajay bajje bjey baj bajen oclock बजे बजें बज
b 0: bajkar bajke bajkr बजकर बजके
j 0: bajne bajney बजने
A 0: am एएम
A 12: pm पीएम
U second: second seconds sec secs sekand seconde सेकंड सेकेंड सेकण्ड
U minute: minute minutes min mins minut minutt minuts minat mint minit mnt मिनट मिनिट मिनटों मिनट्स
U hour: hour hours hr hrs ghnta ghnte ghante ghanta ghanton ghanto ganta gante ghantey ghanti घंटा घंटे घंटों आवर आवर्स
V day: day days din dino dinon दिन दिनों डे
V week: week weeks wk wks hafta hafte haftey hafton hafto haphta haphte saptah सप्ताह हफ्ता हफ्ते हफ्तों हप्ते वीक
V month: month months mahina mahine mahiney maheena maheene mahino mahinon mahene maheenay महीना महीने महीनों महिना महिने माह मंथ
V year: year years yr yrs saal saalon saalo sal साल सालों वर्ष ईयर
E 0: weekend weekends wkend वीकेंड वीकएंड
X 1: next nxt agle agla agli agley aglay aagle coming upcoming अगले अगला अगली आगामी नेक्स्ट
X 0: this is iss इस
X -1: last lst previous prev pichle pichla pichli pichhle pichhla pichhli pichley pichhley pichlay pechle pechla पिछले पिछला पिछली लास्ट बीते
> 0: baad baadme bad bd later hence बाद
< 0: pehle pahle pehele pehlay pahley pehley phle pehla ago back पहले पूर्व
t 0: tarikh tareekh tarik tareek taareekh tarikhko tithi date dated तारीख तारीक तिथि डेट
r end: end ending aakhir akhir aakhri akhri aakhiri akhiri अंत आखिर आखिरी आखरी एंड
r start: beginning shuru shuruaat shuruat शुरू शुरुआत
H 0: half aadha aadhe aadhi adha adhe adhi aadhay आधा आधे आधी हाफ
Q 0: quarter qtr quater क्वार्टर
p 0: past
z 0: to
s 0: se sey से
u 0: until till til upto tak tk तक
k 0: ko को
c 0: pe par pr पे पर
m 0: mein me mai main mei andar में मे मैं अंदर
e 0: ka ki ke k का की के
v 0: liye लिए
w 0: wala wali wale waala waali waale vala vale vali वाला वाली वाले
i 0: in within inside
y 0: after
l 0: before
a 0: at by around from since between
q 0: on
f 0: for fr
h 0: the
g 0: of
& 0: and aur और एंड
! 0: nahi nahin nhi not नहीं
G 0: alarm alarms alaram alarum reminder अलार्म रिमाइंडर
C 0: volume brightness level speed awaaz awaz वॉल्यूम आवाज ब्राइटनेस स्पीड
n 1: a an
"""
# Two words that are one.
_PAIRS = """
X 1: aane-wale aane-wali aane-wala ane-wale ane-wali आने-वाले आने-वाली आने-वाला
S 0: right-now just-now abhi-abhi
B 0: o-clock
A 0: a-m ए-एम
A 12: p-m पी-एम
b 0: baj-kar baj-kr baj-ke baj-k बज-कर बज-के
Z 0: aadhi-raat adhi-raat aadhi-rat आधी-रात mid-night
Z 12: mid-day
P early: subah-subah early-morning subah-savere subah-sawere सुबह-सुबह सुबह-सवेरे
P afternoon: do-pahar do-pehar दो-पहर after-noon
P late: late-night der-raat देर-रात
v 0: ke-liye के-लिए k-liye
E 0: week-end
D 1: to-morrow
J 0: to-night
n 2: couple-of
o 0: aaj-kal आज-कल
"""
# A day of the week whose "vaar" stands apart.
_STEMS = {"som": 0, "mangal": 1, "budh": 2, "guru": 3, "brihaspati": 3, "veer": 3, "shukra": 4, "shukr": 4, "shani": 5, "ravi": 6, "it": 6}  # fmt: skip
_DAY_ENDINGS = ("var", "vaar", "war", "waar")
# What a meal or a waking says about an hour that was said without its half of the day.
HINTS = {
    fold(word): part
    for part, words in {
        MORNING: "wake wakeup breakfast nashta naashta alarm alarms utha uthana uthao uthna jaga jagana jagao jagna नाश्ता उठा उठाना उठाओ उठना जगा जगाना जगाओ अलार्म",
        EVENING: "dinner supper डिनर",
        AFTERNOON: "lunch लंच",
    }.items()
    for word in words.split()
}
# English words that sound like a word of the table.
_NO_SOUNDS = frozenset({"parsons"})


def _lines(table: str) -> list[tuple[str, Value, list[str]]]:
    found = []
    for line in table.strip().splitlines():
        head, _, words = line.partition(": ")
        sort, said = head.split()
        value: Value = int(said) if said.lstrip("-").isdigit() else said
        found.append((sort, value, words.split()))
    return found


_EXACT: dict[str, tuple[str, Value]] = {}
_SOUNDS: dict[str, tuple[str, Value]] = {}
for _sort, _value, _words in _lines(_TABLE):
    for _word in _words:
        _EXACT[fold(_word.lstrip("~"))] = (_sort, _value)
        if _word.startswith("~"):
            _SOUNDS[key(_word[1:])] = (_sort, _value)
PAIRS: dict[str, dict[str, tuple[str, Value]]] = {}
for _sort, _value, _words in _lines(_PAIRS):
    for _word in _words:
        _first, _, _second = fold(_word).partition("-")
        PAIRS.setdefault(_first, {})[_second] = (_sort, _value)
for _first, _value in _STEMS.items():
    PAIRS.setdefault(_first, {}).update(dict.fromkeys(_DAY_ENDINGS, ("W", _value)))

# All words known by sound have an "r" and begin with one of these: a cheap sieve before the sound.
_FIRSTS = frozenset(word[0] for word in (*_SOUNDS, *"dpsmbgriदपसमबगशरइ"))


@lru_cache(maxsize=8_192)
def sort_of(folded: str) -> tuple[str, Value] | None:
    """The sort and the value of a folded word; None when it says nothing about time."""
    found = _EXACT.get(folded)
    if found is None and folded.endswith("s") and len(folded) > 4:
        found = _EXACT.get(folded[:-1])  # "today's"
    may_sound = len(folded) > 4 and folded[0] in _FIRSTS and ("r" in folded or "र" in folded)
    if found is None and may_sound and folded not in _NO_SOUNDS:
        found = _SOUNDS.get(key(folded))
    return found
