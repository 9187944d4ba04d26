"""Small words that say what the words beside them are: a name, a recipient, a topic, what to say."""

from ira_home.domain.language.words import fold


def _set(words: str) -> frozenset[str]:
    return frozenset(fold(word) for word in words.split())


# The words after these are a name: "the file named X", "X naam ka" has it before.
NAMED = _set("named called titled labelled labeled naam नाम")
NAME_BEHIND = _set("naam नाम naamak")
# The words after these are whom or what it is for; Hindi puts the mark behind.
TO = _set("to")
FOR = _set("for with of")
WHOM_BEHIND = _set("ko को")
WHOSE_BEHIND = _set("ka ki ke का की के")
# Who or what is asked for is never what was named: "gloves kitne hain".
QUESTIONS = _set(
    "kya kitna kitne kitni kitno kaun kaunsa kaunse kaunsi kis kise kab kahan kidhar kaisa kaise kaisi kyun kyon kin kinka kinki kinke kinko kinhe kinhone kiska kiski kiske kisko kisne which whose who what when where how why many much "
    "किन किनका किनकी किनके किनको किन्होंने किसका किसकी किसके किसको किसने क्या कितना कितने कितनी कितनों कौन कौनसा कौनसे कौनसी किस किसे कब कहां किधर कैसा कैसे कैसी क्यों"
)
# The words after these are what it is about.
ABOUT = _set("about for regarding containing matching like")
# The words after these are what to say or write, to the end.
SAYING = _set("that saying says ki kih कि")
IN = _set("in at near from of")
IN_BEHIND = _set("me mein mai में ka ki ke का की के wala wali wale वाला वाली वाले")
# Said of everybody, and nobody's name: "kin logon ke bill".
ANYBODY = _set(
    "people persons everyone everybody anyone anybody someone somebody log logon sab sabhi sabka sabke sabki sabko sabse "
    "लोग लोगों सब सभी सबका सबके सबकी सबको"
)
# How often something is: no part of what it is.
EACH = _set("every each daily all both har roz rozana हर रोज रोजाना")
# A name ends before any of these.
ENDS_NAME = (
    EACH
    | _set("jaane jane jaana jaati jata जाने जाना जाती जाता")
    | _set("that saying and or about on in at by from with for to when if then as is are please today tomorrow tonight")
    | _set("ko se me mein mai par pe ka ki ke kal aaj parso aur phir fir hai ho")
    | _set("को से में पर का की के कल आज परसों और फिर है हो कि")
)  # fmt: skip
ARTICLES = _set(
    "the a an my our his her their this that mera meri mere apne apni apna मेरा मेरी मेरे अपने अपनी अपना"
)
# Times and days are no part of a name or a topic.
TIME_WORDS = _set(
    "today tomorrow tonight yesterday now am pm morning evening afternoon night noon o'clock oclock "
    "aaj kal parso parson abhi subah shaam sham dopahar raat baje आज कल परसों अभी सुबह शाम दोपहर रात बजे"
)
NO_WORDS = _set("no off without false not nahi नहीं बंद")
# Between what a text says and the rest of the sentence; inside it they belong to it.
JOINING = _set(
    "to that for about please plz mujhe muje mujhko hame hume me ki ka ke ko liye se par pe and aur or the a an "
    "of on at by from with my bhi ye yeh is ek wala wali wale naam name "
    "मुझे मुझको हमें की का के को लिए से पर और भी एक यह कि वाला वाली वाले"
)
# Forms of "do", "give", "put", "make": they complete a verb and name nothing.
HELPERS = _set(
    "kr krdo krna kro krdena karo kar karna karni karne karke kardo kardena karwa karwao karwana karwani karva karvana karado kara de do dena deni dene leni lene dedo dijiye dijiyega "
    "dila dilana dilao dilado dilwa lo lena le lao lana la laga lagao lagana laga rakh rakhna rakho rakhwa daal daalo dalo dal dalna "
    "chahiye chaiye chahie hai hain ho hoga hogi hua hui jaye jayega jayegi sake sakte raha rahi rahe gaya gayi gaye tha thi the "
    "bol bolo batao bata batana dikhao dikha sunao suna please now just get have need want put set make let "
    "करो कर करना करनी करवा करवाओ करवाना करवानी कराना करा दो दे देना देनी देने लेनी लेने दीजिए दिला दिलाना दिलाओ लो लेना ले लाओ लाना लगा लगाओ लगाना लगाने "
    "रखना रखो रख डाल डालो डालना चाहिए है हैं हो होगा होगी हुआ हुई जाए जाएगा जाएगी सके रहा रही रहे गया गई गए था थी थे बोलो बताओ बता दिखाओ दिखा सुनाओ सुना"
)
# Verb stems before which "do" is "give", not two: "likh do".
STEMS = _set(
    "kar de bhej bana laga chala khol bula likh mita chhap jod daal dal dikha suna bata baja rakh bol padh hata mangwa manga karwa "
    "dila lagwa bhar chadha utha rok badha ghata badal dhundh nikal chuka jama le set add send book note on off band chalu start stop call "
    "save update print share cancel delete remove open play turn "
    "कर दे भेज बना लगा चला खोल बुला लिख मिटा छाप जोड़ डाल दिखा सुना बता बजा रख बोल पढ़ हटा मंगवा मंगा करवा दिला लगवा भर चढ़ा उठा रोक बढ़ा घटा बदल ढूंढ निकाल चुका "
    "जमा ले बुक सेट बंद चालू ऑन ऑफ"
)
# How a Hindi order ends: a verb stem and one of these, or an order by itself.
GIVING = _set(
    "kr krdo kro do lo dena lena de le dijiye dijiyega dedo karo kardo kar दो लो देना लेना दे ले दीजिए दीजिये करो कर"
)
ORDERS = _set(
    "karo kardo daalo dalo likho jodo rakho lagao bhejo banao hatao karna daalna likhna rakhna "
    "करो डालो लिखो जोड़ो रखो लगाओ भेजो बनाओ हटाओ"
)
# That something is wanted, with no other verb: "dadi ka CBC karwana hai".
WANTED = _set(
    "karna karni karne karwana karwani karwane karvana karvani karana karao karwao karwa karva kara karo kardo krdo chahiye chaiye chahie lena leni dena deni "
    "lagwana lagwani want need wants needs give get "
    "करना करनी करने करवाना करवानी कराना करानी कराओ करवाओ करवा करा करो चाहिए लेना लेनी देना देनी लगवाना लगवानी"
)
# What was done, in English forms that no rule makes: they end a name and begin no topic.
DONE = _set(
    "gave brought took sent paid sold bought got kept left made went came told said wrote spent lost found is was has had are were will wants needs coming received arrived "
    "aaya aayi aaye aai aye ayi aya gaya gayi gaye mila mili mile kiya kiye liya liye hua hui hue huye khatam "
    "आया आई आए आयी आये गया गई गए गयी मिला मिली मिले किया किए लिया लिए हुआ हुई हुए खत्म"
)
# They stand behind a name and are a part of it: "drawing room", "Gupta family", "दादी के कमरे".
NAME_ENDS = _set(
    "room kamra kamre family parivar society nagar colony road street hotel hospital clinic school bank market chowk park house lane कमरा कमरे परिवार सोसाइटी नगर कॉलोनी रोड होटल अस्पताल बाजार चौक"
)
# The words after these are where something comes from, goes to, or with whom.
FROM = _set("from")
FROM_BEHIND = _set("se से ne ने wala wali wale वाला वाली वाले")
WITH = _set("with")
WITH_BEHIND = _set("se से")
# Where something is put, behind the place: "list me", "कैलेंडर में"; and what says that it is so.
INSIDE = _set("me mein mai में pe par पर")
IS = _set("hai hain h है हैं")
WHO_BEHIND = _set("ne ने")
FOR_BEHIND = _set("liye लिए")
BECAUSE = _set("because as since for due kyunki kyonki क्योंकि")
WITHOUT = _set("no not without bina bagair nahi nahin mat dont never बिना बगैर नहीं मत")
# Between a thing and its number: "page number 12".
NUMBERING = _set("number no num nambar nos नंबर")
# A measure between a number and the thing: "40 packets of parle g", "do kilo aloo".
MEASURES = _set(
    "packet packets pack packs kg kgs kilo kilos gram grams gm litre litres liter liters ltr ml piece pieces pcs dozen box boxes bag bags "
    "bottle bottles strip strips unit units bori katta peti darjan plate plates cup cups sheet sheets quintal ton tonne metre metres meter "
    "percent degree degrees rupees rupaye "
    "पैकेट किलो ग्राम लीटर पीस दर्जन डिब्बा डिब्बे बोतल पेटी बोरी प्लेट कप यूनिट क्विंटल टन मीटर प्रतिशत डिग्री रुपये"
)
