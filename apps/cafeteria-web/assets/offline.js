// Registers the service worker: pages that were seen stay readable without a network.
if ('serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {
      // Not allowed here (private window, plain http): the site works without.
    });
  });
}
