// A page that shows the present meal is loaded again when somebody comes back to it after that meal, such as the next day.

const until = Number(document.querySelector('main')?.dataset.until);

// A kept page is of another time from the beginning, as is any page where the clock is wrong: loading it again changes nothing.
if (Date.now() < until) {
  const renew = () => {
    const isInUse =
      document.activeElement?.matches('input, select, textarea') === true ||
      document.querySelector('dialog[open]') !== null;
    if (!document.hidden && navigator.onLine && !isInUse && Date.now() >= until) location.reload();
  };
  document.addEventListener('visibilitychange', renew);
  addEventListener('pageshow', renew);
}
