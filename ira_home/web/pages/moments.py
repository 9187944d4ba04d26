"""Moments as people say them, in the time zone of whoever looks."""

from datetime import date, datetime, timedelta, tzinfo

from ira_home.domain.language.writing import moment_words
from ira_home.web.pages.words import Words


class Moments:
    """Says when something was, seen from now."""

    def __init__(self, words: Words, zone: tzinfo, now: datetime) -> None:
        """`now` is aware; the same one for a whole page."""
        self._words, self._zone = words, zone
        self._now = now.astimezone(zone)

    def hour(self, moment: datetime) -> str:
        """10:42."""
        return f"{moment.astimezone(self._zone):%H:%M}"

    def exact(self, moment: datetime) -> str:
        """10:42:07 today, else the day before it."""
        found = moment.astimezone(self._zone)
        second = f"{found:%H:%M:%S}"
        return second if found.date() == self._now.date() else f"{self.day(moment)}, {second}"

    def day(self, moment: datetime) -> str:
        """Today, yesterday, or 12 November; with the year when it is another."""
        found = moment.astimezone(self._zone).date()
        if found == self._now.date():
            return self._words.t("when.today")
        if found == self._now.date() - timedelta(days=1):
            return self._words.t("when.yesterday")
        return self._date(found)

    def _date(self, found: date) -> str:
        month = self._words.t(f"when.month.{found.month}")
        text = f"{found.day} {month}"
        return text if found.year == self._now.year else f"{text} {found.year}"

    @property
    def today(self) -> str:
        """This very day with its year, for what is printed."""
        return f"{self._now.day} {self._words.t(f'when.month.{self._now.month}')} {self._now.year}"

    def moment(self, moment: datetime) -> str:
        """10:42 today, else the day and the hour."""
        is_today = moment.astimezone(self._zone).date() == self._now.date()
        hour = self.hour(moment)
        return hour if is_today else f"{self.day(moment)}, {hour}"

    def ago(self, moment: datetime) -> str:
        """Just now, 5 minutes ago, 3 hours ago, else the moment."""
        minutes = int((self._now - moment).total_seconds() // 60)
        if minutes < 1:
            return self._words.t("when.now")
        if minutes < 60:
            return self._words.count("when.minutes_ago", minutes)
        if minutes < 12 * 60:
            return self._words.count("when.hours_ago", minutes // 60)
        return self.moment(moment)

    def in_words(self, value: str) -> str:
        """A day or time in its fixed form as people say it; "" for any other text."""
        return moment_words(value, self._now, self._words.lang)

    @property
    def part_of_day(self) -> str:
        """Morning, afternoon or evening: the key of a greeting."""
        hour = self._now.hour
        return "morning" if 4 <= hour < 12 else "afternoon" if 12 <= hour < 17 else "evening"


def clock_text(seconds: int) -> str:
    """1:42."""
    return f"{seconds // 60}:{seconds % 60:02d}"
