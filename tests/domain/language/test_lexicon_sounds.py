"""Romanised spellings meet their Devanagari word, and words that mean different things stay apart."""

from hypothesis import given, strategies as st
import pytest

from ira_home.domain.language.lexicon import concepts_of, words_known
from ira_home.domain.language.phonetic import key, latin, skeleton, sound_of
from ira_home.domain.language.words import fold

# A Devanagari word and the spellings that people type for it.
_SPELLINGS = """
ढूंढो dhoondo dhundho dhoondho; खरीद kharid khareed; चाहिए chahiye chaiye chahie; सुबह subah subha; प्याज pyaaz pyaj pyaz;
ज्यादा zyada jyada jyaada; वजह vajah wajah; शादी shaadi shadi; मेहमान mehmaan mehman; घंटा ghanta ghantaa; घंटे ghante;
बिजली bijli bijlee; दवाई dawai dawaai davai; दवा dawa dava; दुकान dukan dukaan dookan; किराया kiraya kiraaya;
हिसाब hisab hisaab; उधार udhar udhaar; कमाई kamai kamaai; पानी pani paani; टंकी tanki tankee; दरवाजा darwaza darvaza darwaja;
खिड़की khidki khidkee; पंखा pankha; बत्ती batti battee; कमरा kamra kamraa; रसोई rasoi; आवाज aawaz awaaz awaz;
तापमान taapmaan tapman; मौसम mausam mousam; बारिश barish baarish; छाता chhata chhaata chata; गर्मी garmi garmee; ठंड thand;
समाचार samachar samaachaar; अखबार akhbar akhbaar; खबर khabar; डाक dak daak; चिट्ठी chitthi chithi; संदेश sandesh sandes;
सूचना suchna soochna; याद yaad yad; समय samay; तारीख tarikh tareekh taareekh; महीना mahina maheena; हफ्ता hafta haftaa;
साल saal sal; दोपहर dopahar dopehar; शाम shaam sham; रात raat rat; कल kal; परसों parson; जल्दी jaldi jaldee;
बीमार bimar beemar; बुखार bukhar bukhaar; दर्द dard; मरीज mariz mareez marij; अस्पताल aspatal aspataal; खून khoon khun;
सेहत sehat; टीका teeka tika; पर्ची parchi; नुस्खा nuskha; खुराक khurak khuraak; गोली goli golee; चश्मा chashma;
दांत daant dant; वजन vajan wajan wazan; चीनी cheeni chini; चावल chawal chaval; आटा aata ata; दाल daal dal; सब्जी sabzi sabji;
आलू aloo aalu alu; टमाटर tamatar tamaatar; मसाला masala masaala; दूध doodh dudh; दही dahi dahee; मक्खन makkhan makhan;
अंडा anda; मिठाई mithai mithaai; नमक namak; तेल tel; साबुन sabun saabun; कपड़ा kapda kapdaa; जूता joota juta;
सामान saaman saman samaan; ग्राहक grahak graahak; बिक्री bikri; मुनाफा munafa munaafa; नुकसान nuksan nuksaan; खर्चा kharcha;
बचत bachat; ब्याज byaj byaaj; किस्त kist; कर्ज karz karj; तनख्वाह tankhwah tankhvah; वेतन vetan;
मजदूरी majdoori mazdoori mazduri; मजदूर mazdoor majdur; हाजिरी haziri hajiri haajiri; छुट्टी chhutti chutti;
कर्मचारी karmchari karmachari; मालिक malik maalik; गाड़ी gaadi gadi; रास्ता rasta raasta; जगह jagah; पता pata;
दूरी doori duri; नजदीक nazdeek najdik nazdik; टिकट tikat; यात्रा yatra yaatra; सफर safar; शहर shahar shehar sheher;
गांव gaanv ganv; सड़क sadak; खेत khet; फसल fasal phasal; बीज beej bij; खाद khaad khad; किसान kisan kisaan; मिट्टी mitti;
सिंचाई sinchai sinchaai; मंडी mandi; गाय gaay gay; मंदिर mandir; पूजा puja pooja; आरती aarti arti; प्रसाद prasad prasaad;
दर्शन darshan; व्रत vrat; दर्जी darzi darji; सिलाई silai silaai; कुर्ता kurta; नाप naap nap; किताब kitab kitaab;
परीक्षा pariksha pareeksha; शिक्षक shikshak; विद्यालय vidyalay vidyaalay; कक्षा kaksha; बच्चा bachcha baccha bacha;
अच्छा achchha accha acha; पढ़ाई padhai padhaai; परिवार parivar pariwar; बेटा beta; लड़की ladki; दोस्त dost;
बहन bahan behan behen; पड़ोसी padosi; चौकीदार chaukidar chowkidar; मेहनत mehnat; मरम्मत marammat maramat; खराब kharab kharaab;
सफाई safai safaai; कचरा kachra; ताला tala taala; चाबी chabi chaabi; चुटकुला chutkula; कहानी kahani kahaani; खिलाड़ी khiladi;
मैच maich; रिचार्ज richarj; पासवर्ड paasavard; मोबाइल mobail; कैमरा kaimra; ज्ञान gyan gyaan; क्षमा kshama; पसंद pasand;
इंतजार intazar; शिकायत shikayat shikaayat; मंजूर manzoor manjur; मदद madad; जवाब jawab javab jawaab; सवाल sawal savaal;
वापस wapas vapas; आगे aage; जानकारी jankari jaankari;
"""
_PAIRS = [(word, roman) for one in _SPELLINGS.replace("\n", " ").split(";") if one.strip() for word, *romans in [one.split()] for roman in romans]  # fmt: skip


def test_there_are_many_pairs() -> None:
    assert len(_PAIRS) >= 150


@pytest.mark.parametrize(("word", "roman"), _PAIRS)
def test_a_romanised_spelling_sounds_like_the_word(word: str, roman: str) -> None:
    assert key(fold(word)) == key(fold(roman))


@pytest.mark.parametrize(
    "pair",
    ["appointment अपॉइंटमेंट", "phone फ़ोन", "ticket टिकट", "booking बुकिंग", "recharge रिचार्ज", "delivery डिलीवरी", "taxi टैक्सी", "quality क्वालिटी",
     "station स्टेशन", "whatsapp व्हाट्सएप", "garage गैरेज", "cylinder सिलेंडर", "balance बैलेंस", "package पैकेज", "fax फैक्स", "flight फ्लाइट"],
)  # fmt: skip
def test_a_loan_word_has_the_consonants_of_the_english_one(pair: str) -> None:
    one, other = pair.split()
    assert skeleton(one) == skeleton(fold(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("aage", "aaj"), ("jawab", "job"), ("lagenge", "lagenj"), ("taxi", "taki"), ("paisa", "pasa"), ("din", "dana"), ("rent", "rant"), ("suno", "sona")],
)  # fmt: skip
def test_other_words_sound_different(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_few_sounds_are_shared_by_words_without_a_common_meaning() -> None:
    by_sound: dict[tuple[str, bool], list[frozenset[str]]] = {}
    words = [one for one in words_known() if not one.isascii() and len(key(one)) > 2]
    for word in words:
        concepts = frozenset(concepts_of(word, "hi"))
        by_sound.setdefault((key(word), latin(word).endswith("a")), []).append(concepts)
    strange = [sound for sound, found in by_sound.items() if not _any_common(found)]
    assert len(words) > 1_000
    assert len(strange) < len(words) / 40, strange


def _any_common(found: list[frozenset[str]]) -> bool:
    """Whether each set has something in common with another, or is the only one."""
    return len(found) == 1 or all(
        any(one & other for other in found[:at] + found[at + 1 :]) for at, one in enumerate(found)
    )


@given(st.text(max_size=30))
def test_any_text_has_a_sound_that_the_cache_does_not_change(text: str) -> None:
    folded = fold(text)
    assert key(folded) == sound_of(folded)
