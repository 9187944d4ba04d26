// @ts-check
// The page that a worker shows while Ira cannot be reached. It is shown in place of the page that was wanted.

document.querySelector("[data-again]")?.addEventListener("click", () => location.reload());

// Without the worker the browser itself says what is wrong, a certificate that changed above all.
document.querySelector("[data-direct]")?.addEventListener("click", async () => {
  for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
  location.reload();
});
