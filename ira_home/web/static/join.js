// @ts-check
// The page of an invitation. The invitation stands behind the # of the link: it is taken out of the address
// at once and goes only into the form. This tab keeps it, because the switch of language loads the page anew.
const KEPT = "ira-invitation";
const told = location.hash.slice(1);
if (told) {
  history.replaceState(null, "", location.pathname);
  sessionStorage.setItem(KEPT, told);
}

const field = document.querySelector("[name=invitation]");
if (field instanceof HTMLInputElement) {
  field.value ||= sessionStorage.getItem(KEPT) || "";
  const box = field.closest(".field");
  // One that is over has to be seen, and another can be written in its place.
  if (box instanceof HTMLElement) box.hidden = Boolean(field.value) && !field.hasAttribute("aria-invalid");
  if (field.hasAttribute("aria-invalid")) sessionStorage.removeItem(KEPT);
}
