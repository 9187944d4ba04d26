"""A small lexicon of shared concepts: words of English, Hinglish and Hindi that mean the same in a request."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from ira_home.domain.language.detect import Language
from ira_home.domain.language.phonetic import key
from ira_home.domain.language.words import fold, is_devanagari, stem

# concept: English | Hinglish | Hindi. Verbs stand as stems: their endings are taken off in `_by_sound`.
# A word may stand under several concepts; it then counts a little less for each.
_TABLE = """
read: read recite summarise summarize summary open | padh parh khol | पढ़ खोल
find: find search look locate where seek lookup | dhundh dhoondh dhund talash khoj kahan kidhar | ढूंढ ढूंड खोज तलाश कहां किधर
show: show list display tell give see view check report say status | dikha bata suna dekh | दिखा बता सुना देख
send: send forward dispatch deliver mail text | bhej bhijwa | भेज भिजवा
write: write note jot compose draft | likh | लिख नोट
make: create add make insert | bana jod daal | बना जोड़ डाल
delete: delete remove erase trash clear wipe | hata mita nikal | हटा मिटा निकाल डिलीट
cancel: cancel revoke undo | radd cancel | रद्द कैंसल कैंसिल
change: change edit update modify rename set | badal sudhar | बदल सुधार
move: move shift transfer put | sarka rakh | सरका रख
copy: copy duplicate | nakal | कॉपी नकल
open: open unlock launch | khol | खोल
close: close shut lock | bandh | बंद
on: on start enable activate run switch | chalu chala jala on | चालू चला जला ऑन
off: off stop disable deactivate kill switch | band bujha roko rok | बंद बुझा रोक ऑफ
play: play | baja chala laga suna | बजा चला लगा सुना प्ले
pause: pause resume | rok thahar | रोक ठहर
raise: raise increase up louder brighter more | badha upar tez | बढ़ा ऊपर तेज
lower: lower decrease reduce down quieter dim less | ghata kam neeche dheere | घटा कम नीचे धीरे
book: book reserve order | mangwa manga book | मंगवा मंगा बुक
buy: buy purchase shop shopping | kharid | खरीद
pay: pay payment paid settle | bhugtan chuka bhar | भुगतान चुका
due: due unpaid outstanding pending owe owed overdue | baki bakaya udhaar | बाकी बकाया उधार
count: count number total quantity many much left remaining | kitna kitni kitne kul bacha bachi bache | कितना कितनी कितने कुल बचा बची बचे
stock: stock inventory supply supplies | stock bhandar | स्टॉक भंडार
backup: backup save store | bacha surakshit | बैकअप सुरक्षित
print: print printer | chhap | छाप प्रिंट
share: share | baant | शेयर बांट
download: download | download | डाउनलोड
upload: upload | upload | अपलोड
translate: translate translation | anuvad | अनुवाद
help: help assist | madad sahayata | मदद सहायता
file: file document doc docs pdf attachment spreadsheet | dastavez kagaz kagaj | फाइल दस्तावेज कागज डॉक्यूमेंट पीडीएफ
folder: folder directory downloads documents desktop | folder | फोल्डर डाउनलोड्स
photo: photo picture image photograph pic selfie snapshot | tasveer tasvir foto | फोटो तस्वीर चित्र पिक्चर
video: video movie film clip | | वीडियो फिल्म
music: music song track tune album playlist | gana gaana geet sangeet | गाना गाने गीत संगीत म्यूजिक
phone: phone mobile smartphone cellphone cell handset telephone iphone android | fon fone | फोन मोबाइल
computer: computer laptop pc desktop notebook mac windows workstation machine | | कंप्यूटर लैपटॉप
tablet: tablet ipad | | टैबलेट
call: call dial ring | | कॉल
missed: missed unanswered | chhut mis | मिस्ड मिस छूट
ring: ring buzz beep | ghanti baja | घंटी बजा रिंग
message: message sms text msg chat whatsapp | sandesh | मैसेज मेसेज संदेश एसएमएस
email: email mail inbox gmail | | ईमेल मेल इनबॉक्स
contact: contact phonebook addressbook | sampark | संपर्क कॉन्टैक्ट
notification: notification alert | soochna suchna | सूचना नोटिफिकेशन
remind: remind reminder remember | yaad | याद रिमाइंडर
alarm: alarm wake | jaga utha | अलार्म जगा उठा
timer: timer countdown stopwatch | | टाइमर
time: time clock hour | samay waqt baje ghadi | समय वक्त बजे घड़ी टाइम
date: date day | tareekh tarikh din | तारीख दिन
today: today tonight | aaj | आज
tomorrow: tomorrow | kal | कल
yesterday: yesterday | kal | कल
calendar: calendar schedule agenda event meeting | | कैलेंडर
appointment: appointment visit booking slot consultation | mulakat | अपॉइंटमेंट मुलाकात
task: task todo job work chore | kaam | काम टास्क
list: list shopping | suchi | सूची लिस्ट
weather: weather forecast temperature rain umbrella sunny humid storm | mausam barish baarish dhoop thand garmi | मौसम बारिश धूप ठंड गर्मी
news: news headline | khabar samachar akhbar | खबर समाचार न्यूज अखबार
web: web internet online google browse website | | गूगल इंटरनेट वेब
battery: battery charge charging | | बैटरी चार्ज
light: light lamp bulb | batti roshni | बत्ती लाइट बल्ब रोशनी
fan: fan | pankha | पंखा
heat: heater heating geyser boiler warm heat | geezer garam | गीजर हीटर गरम
cool: ac cooler aircon airconditioner cool | thanda | एसी कूलर ठंडा
tv: tv television | | टीवी
door: door gate | darwaza darvaza | दरवाजा
window: window curtain blind | khidki parda | खिड़की पर्दा
lock: lock latch | tala | ताला लॉक
camera: camera webcam | | कैमरा
water: water | pani paani jal | पानी जल
pump: pump motor | | पंप मोटर
gas: gas lpg cylinder | silinder | गैस सिलेंडर सिलिंडर
electricity: electricity power electric | bijli | बिजली
bill: bill invoice receipt | bil | बिल इनवॉइस रसीद
money: money cash amount rupee rupees price cost balance | paisa paise rupaye dam kimat | पैसा पैसे रुपये रुपए दाम कीमत
bank: bank account | khata | बैंक खाता
medicine: medicine drug pill tablet capsule medication | dawa dawai goli | दवा दवाई गोली
doctor: doctor physician dentist | daktar | डॉक्टर
patient: patient | mareez marij | मरीज
report: report result | | रिपोर्ट
volume: volume sound loud | awaaz awaz | आवाज वॉल्यूम
screen: screen display screenshot | | स्क्रीन स्क्रीनशॉट
brightness: brightness bright | chamak | ब्राइटनेस चमक
wifi: wifi network | | वाईफाई नेटवर्क
location: location position gps place whereabouts | jagah sthan | लोकेशन जगह स्थान
route: route direction map navigate navigation | raasta rasta | रास्ता नक्शा
app: app application program software | | ऐप
clipboard: clipboard paste | | क्लिपबोर्ड
food: food recipe meal cook dish | khana | खाना रेसिपी
temperature: temperature degree | tapman | तापमान
kitchen: kitchen | rasoi | रसोई किचन
bedroom: bedroom | | बेडरूम शयनकक्ष
bathroom: bathroom washroom toilet | gusalkhana | बाथरूम गुसलखाना
hall: hall living lounge drawing | baithak | हॉल बैठक
office: office | daftar | ऑफिस दफ्तर
home: home house | ghar | घर
name: name | naam | नाम
back: back return returned | wapas vapas | वापस
device: device gadget | | डिवाइस
"""
# A verb and a noun whose verb then means something else: a lost phone is found by ringing it.
PAIRS: Mapping[tuple[str, str], str] = {("find", "phone"): "ring"}
# Concepts that nearly every request has: they tell tools apart only when nothing else does.
GENERIC = frozenset({"show", "make", "on", "off", "name", "device", "today", "tomorrow", "yesterday"})  # fmt: skip
# Concepts of doing something to things: a tool that lacks the one that was said does something else.
ACTIONS = frozenset(
    "send write delete cancel change move copy book buy pay print share upload translate raise lower lock backup".split()
)
SECONDARY = 0.7  # a word with several meanings counts this much for each

_ENDINGS = "o na ne ni i e en ein yan iyan on iyon iye iyega ie kar ke ta te ti unga ungi enge ega egi oge un"
_SOUND_ENDINGS = sorted({key("b" + one)[1:] for one in _ENDINGS.split()} - {""}, key=len, reverse=True)  # fmt: skip


def _read_table() -> tuple[dict[str, set[str]], dict[str, set[str]], dict[str, set[str]]]:
    english: dict[str, set[str]] = defaultdict(set)
    exact: dict[str, set[str]] = defaultdict(set)
    sounds: dict[str, set[str]] = defaultdict(set)
    for line in _TABLE.strip().splitlines():
        concept, _, columns = line.partition(": ")
        latin, hinglish, hindi = columns.split("|")
        for word in latin.split():
            english[stem(word)].add(concept)
        for word in (hinglish + hindi).split():
            exact[fold(word)].add(concept)
            sounds[key(fold(word))].add(concept)
    return dict(english), dict(exact), dict(sounds)


_ENGLISH, _EXACT, _SOUNDS = _read_table()


def _by_sound(folded: str) -> set[str]:
    sound = key(folded)
    if found := _SOUNDS.get(sound):
        return found
    for ending in _SOUND_ENDINGS:
        root = sound.removesuffix(ending)
        if root != sound and len(root) > 1 and (found := _SOUNDS.get(root)):
            return found
    return set()


@lru_cache(maxsize=8_192)
def concepts_of(folded: str, language: Language = "hinglish") -> Mapping[str, float]:
    """The concepts of a folded word and how much it counts for each (1, or less with several meanings).

    In an English text only English words are looked up: "sun" there is no "सुन".
    """
    found = set(_ENGLISH.get(stem(folded), ()))
    if language != "en" or is_devanagari(folded):
        found |= _EXACT.get(folded, set())
        if not found and len(folded) > 2:
            found = _by_sound(folded)
    weight = 1.0 if len(found) < 2 else SECONDARY
    return dict.fromkeys(sorted(found), weight)
