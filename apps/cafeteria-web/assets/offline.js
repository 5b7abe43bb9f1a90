// Registers the service worker: pages that were seen stay readable without a network, and say that they are kept ones.
if ('serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {
      // Not allowed here (private window, plain http): the site works without.
    });
  });
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data !== 'kept') return;
    const note = document.createElement('p');
    note.className = 'note warn';
    note.setAttribute('role', 'status');
    note.textContent =
      document.documentElement.lang === 'ko'
        ? '오프라인: 마지막으로 본 화면입니다. 그 뒤에 바뀐 메뉴는 여기에 없습니다.'
        : 'Offline: this is the page as you last saw it. Menus that changed since are not in it.';
    document.querySelector('main')?.prepend(note);
  });
}
