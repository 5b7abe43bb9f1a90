// Registers the service worker: pages that were seen stay readable without a network, and say that they are kept ones.
if ('serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register('/service-worker.js').then(keepAhead, () => {
      // Not allowed here (private window, plain http): the site works without.
    });
  });
  /** What one tap leads to is there without a network too, except for those who save data. */
  const keepAhead = async () => {
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const links = document.querySelectorAll('a[data-ahead]');
    const { saveData = false } =
      /** @type {{ connection?: { saveData?: boolean } }} */ (navigator).connection ?? {};
    if (links.length === 0 || saveData) return;
    const ahead = [...new Set([...links].map((link) => link.href.replace(/#.*$/, '')))];
    (await navigator.serviceWorker.ready).active?.postMessage({ ahead });
  };
  const korean = document.documentElement.lang === 'ko';
  const notes = {
    offline: korean
      ? '오프라인이에요. 마지막으로 본 화면이고, 그 뒤에 바뀐 메뉴는 여기에 없어요.'
      : 'Offline: this is the page as you last saw it. Menus that changed since are not in it.',
    unreachable: korean
      ? '서버에 연결하지 못했어요. 마지막으로 본 화면이고, 그 뒤에 바뀐 메뉴는 여기에 없어요.'
      : 'The server cannot be reached: this is the page as you last saw it. Menus that changed since are not in it.',
    slow: korean
      ? '서버가 아직 답하지 않아 마지막으로 본 화면을 보여 드려요. 그 뒤에 바뀐 메뉴는 여기에 없어요.'
      : 'The server has not answered yet: this is the page as you last saw it. Menus that changed since are not in it.',
  };
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    const lost = navigator.onLine ? 'unreachable' : 'offline';
    const text = data?.kept === 'slow' ? notes.slow : data?.kept === 'lost' ? notes[lost] : undefined;
    if (text === undefined) return;
    const note = document.createElement('p');
    note.className = 'note warn';
    note.setAttribute('role', 'status');
    note.textContent = text;
    document.querySelector('main')?.prepend(note);
  });
}
