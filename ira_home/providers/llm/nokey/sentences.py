"""Every sentence that the no-key brain says, in English, Hindi and Hinglish."""

from collections.abc import Mapping

from ira_home.domain.language.words import Language
from ira_home.domain.settings import LANGUAGES

SENTENCES: Mapping[str, tuple[str, str, str]] = {
    # key: English, Hindi, Hinglish (the order of domain.settings.LANGUAGES)
    # --- talk ---
    "greeting": ("Hello {name}! What can I do for you?", "नमस्ते {name}! मैं आपके लिए क्या करूँ?", "Namaste {name}! Main aapke liye kya karoon?"),
    "how": ("I am well, thank you. What can I do for you?", "मैं ठीक हूँ, धन्यवाद। आपके लिए क्या करूँ?", "Main theek hoon, shukriya. Aapke liye kya karoon?"),
    "who": ("I am {assistant}, the assistant of this house. I work on this house's own server, with the devices you paired.", "मैं {assistant} हूँ, इस घर की सहायक। मैं इसी घर के सर्वर पर, आपके जोड़े हुए डिवाइसों के साथ काम करती हूँ।", "Main {assistant} hoon, is ghar ki assistant. Main isi ghar ke server par, aapke jode hue devices ke saath kaam karti hoon."),
    "thanks": ("You are welcome.", "कोई बात नहीं।", "Koi baat nahi."),
    "bye": ("Goodbye!", "फिर मिलेंगे!", "Phir milenge!"),
    "praise": ("I am glad.", "अच्छा लगा सुनकर।", "Accha laga sunkar."),
    "pin": ("A PIN is entered on the card only, never in the chat.", "PIN सिर्फ़ कार्ड पर डाला जाता है, चैट में कभी नहीं।", "PIN sirf card par daala jaata hai, chat mein kabhi nahi."),
    "nothing_open": ("There is no open question right now.", "अभी कोई सवाल खुला नहीं है।", "Abhi koi sawaal khula nahi hai."),
    "all_right": ("All right.", "ठीक है।", "Theek hai."),
    "will_not": ("All right, I will not do it.", "ठीक है, मैं नहीं करूँगी।", "Theek hai, main nahi karungi."),
    # --- what there is ---
    "can_do": ("I can do this on your devices and in the house:", "आपके डिवाइसों पर और घर में मैं यह कर सकती हूँ:", "Aapke devices par aur ghar mein main yeh kar sakti hoon:"),
    "can_do_more": ("… and {count} more.", "… और {count} और।", "… aur {count} aur."),
    "no_tools": ("No device of yours is connected yet. Pair one under Devices, then ask me again.", "आपका कोई डिवाइस अभी जुड़ा नहीं है। Devices में एक जोड़िए, फिर मुझसे कहिए।", "Aapka koi device abhi juda nahi hai. Devices mein ek jodiye, phir mujhse kahiye."),
    "cannot": ("I cannot do that.", "यह मैं नहीं कर सकती।", "Yeh main nahi kar sakti."),
    "cannot_but": ("I cannot do that. I can, for example: {examples}.", "यह मैं नहीं कर सकती। मैं यह कर सकती हूँ, जैसे: {examples}।", "Yeh main nahi kar sakti. Main yeh kar sakti hoon, jaise: {examples}."),
    "did_you_mean": ("Did you mean: {first}?", "क्या आपका मतलब था: {first}?", "Kya aapka matlab tha: {first}?"),
    "did_you_mean_two": ("Did you mean: {first}, or: {second}?", "क्या आपका मतलब था: {first}, या: {second}?", "Kya aapka matlab tha: {first}, ya: {second}?"),
    "no_calls": ("I stopped here: that was as much as one question may do.", "मैं यहाँ रुक गई: एक सवाल में इतना ही हो सकता है।", "Main yahan ruk gayi: ek sawaal mein itna hi ho sakta hai."),
    "waiting": (
        "This waits for your answer.",
        "इसके लिए आपके जवाब का इंतज़ार है।",
        "Iske liye aapke jawab ka intezaar hai.",
    ),
    "rest_not_done": ("I did not go on with the rest.", "बाकी मैंने नहीं किया।", "Baaki maine nahi kiya."),
    # --- asking back ---
    "which_device": ("On which device: {labels}?", "किस डिवाइस पर: {labels}?", "Kis device par: {labels}?"),
    "or": ("{some} or {last}", "{some} या {last}", "{some} ya {last}"),
    "which_file": ("Which file?", "कौन-सी फ़ाइल?", "Kaun si file?"),
    "which_folder": ("Which folder?", "कौन-सा फ़ोल्डर?", "Kaun sa folder?"),
    "whom": ("For whom, or to whom?", "किसके लिए, या किसको?", "Kiske liye, ya kisko?"),
    "what_text": ("What should it say?", "उसमें क्या लिखूँ?", "Usme kya likhoon?"),
    "what_query": ("What should I look for?", "क्या ढूँढूँ?", "Kya dhundhoon?"),
    "when": ("When?", "कब?", "Kab?"),
    "where": ("Where?", "कहाँ?", "Kahan?"),
    "how_many": ("How much or how many ({argument})?", "कितना ({argument})?", "Kitna ({argument})?"),
    "which_of": ("Which one: {options}?", "कौन-सा: {options}?", "Kaun sa: {options}?"),
    "which": ("What should I take for {argument}?", "{argument} के लिए क्या लूँ?", "{argument} ke liye kya loon?"),
    # --- devices ---
    "skill_off": ("The skill {skill} is off on {device}. You can switch it on under Devices.", "{device} पर {skill} बंद (off) है। आप इसे Devices में चालू कर सकते हैं।", "{device} par {skill} band (off) hai. Aap ise Devices mein chalu kar sakte hain."),
    "house_off": ("{skill} is off for you. You can switch it on under My settings, with your PIN.", "{skill} आपके लिए बंद (off) है। आप इसे मेरी सेटिंग में अपने PIN से चालू कर सकते हैं।", "{skill} aapke liye band (off) hai. Aap ise My settings mein apne PIN se chalu kar sakte hain."),
    "house_not_set_up": ("{skill} is not set up in this house. Whoever runs the server sets it up with: {command}", "{skill} इस घर में अभी सेट नहीं है। जो सर्वर चलाते हैं, वे इससे सेट करें: {command}", "{skill} is ghar mein abhi set nahi hai. Jo server chalate hain, woh isse set karein: {command}"),
    "away_since": ("{device} is away since {since}.", "{device} {since} से जुड़ा नहीं है।", "{device} {since} se juda nahi hai."),
    "away": ("{device} is away.", "{device} जुड़ा नहीं है।", "{device} juda nahi hai."),
    "tell_when_back": ("I'll tell you when it is back, if you like?", "कहें तो वापस आने पर बता दूँ?", "Kaho to wapas aane par bata doon?"),
    "not_on_device": ("{device} does not offer that.", "{device} पर यह नहीं हो सकता।", "{device} par yeh nahi ho sakta."),
    # --- results ---
    "done": ("Done: {what}.", "हो गया: {what}।", "Ho gaya: {what}."),
    "nothing_came": ("{device} answered, but there was nothing in it.", "{device} ने जवाब दिया, पर उसमें कुछ नहीं था।", "{device} ne jawab diya, par usme kuch nahi tha."),
    "nothing_found": ("There is nothing.", "कुछ नहीं है।", "Kuch nahi hai."),
    "failed_on": ("That did not work. {device} says: {text}", "यह नहीं हो पाया। {device} कहता है: {text}", "Yeh nahi ho paaya. {device} kehta hai: {text}"),
    "failed": ("That did not work: {text}", "यह नहीं हो पाया: {text}", "Yeh nahi ho paaya: {text}"),
    "refused": ("I may not do that.", "यह करने की मुझे अनुमति नहीं है।", "Yeh karne ki mujhe ijazat nahi hai."),
    "busy": ("{device} is busy right now. Ask again in a moment.", "{device} अभी व्यस्त (busy) है। थोड़ी देर में फिर कहिए।", "{device} abhi busy hai. Thodi der mein phir kahiye."),
    "result_away": ("{device} is away. Nothing was sent.", "{device} जुड़ा नहीं है। कुछ नहीं भेजा गया।", "{device} juda nahi hai. Kuch nahi bheja gaya."),
    "timeout": ("{device} did not answer in time.", "{device} ने समय पर जवाब नहीं दिया।", "{device} ne time par jawab nahi diya."),
    "unknown": ("The line to {device} broke meanwhile. I do not know whether it was done, and I did not try again.", "इस बीच {device} से संपर्क टूट गया। हुआ या नहीं, मुझे पता नहीं, और मैंने दोबारा नहीं किया।", "Is beech {device} se sampark toot gaya. Hua ya nahi, mujhe pata nahi, aur maine dobara nahi kiya."),
    "cancelled": ("All right, I did not do it.", "ठीक है, मैंने नहीं किया।", "Theek hai, maine nahi kiya."),
    "expired": ("Time ran out, so I did nothing. Ask again if you still want it.", "समय निकल गया, इसलिए मैंने कुछ नहीं किया। अब भी चाहिए तो फिर से कहिए।", "Time nikal gaya, isliye maine kuch nahi kiya. Ab bhi chahiye to phir se kahiye."),
    "the_device": ("The device", "डिवाइस", "Device"),
    "more": ("There is more: say \"next page\".", "और भी है: कहिए \"आगे पढ़ो\"।", "Aur bhi hai: kahiye \"aage padho\"."),
    "only_so_many": ("There are only {count}.", "बस {count} ही हैं।", "Bas {count} hi hain."),
    "no_more": ("That was all of it.", "बस इतना ही था।", "Bas itna hi tha."),
    "yes": ("yes", "हाँ", "haan"),
    "no": ("no", "नहीं", "nahi"),
}  # fmt: skip


def say(key: str, language: Language, **values: object) -> str:
    """One of the sentences, filled in; values are put in as they are."""
    return SENTENCES[key][LANGUAGES.index(language)].format(**values)


def either(options: list[str], language: Language) -> str:
    """Options as a person lists them: "A, B or C"."""
    if len(options) < 2:
        return "".join(options)
    return say("or", language, some=", ".join(options[:-1]), last=options[-1])
