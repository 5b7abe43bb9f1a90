import { computed, defineComponent, h, ref } from 'vue';

/** The figures of docs/scale.md. */
const EVENT_US = 11;
const PLANNED_SHARE = 0.7;
const FOLLOWERS_PER_GATEWAY = 20_000;
const GATEWAY_BYTES = 270e6;
const FOLLOWER_BYTES = 10_100;

interface Size {
  readonly gateways: number;
  readonly memoryBytes: number;
  readonly bitsPerSecond: number;
  readonly limit: string;
}

/** What a number of followers needs, each of which gets `changesPerSecond`. */
function sizeFor(followers: number, changesPerSecond: number, eventBytes: number): Size {
  const byConnections = Math.ceil(followers / FOLLOWERS_PER_GATEWAY);
  const byProcessor = Math.ceil((followers * changesPerSecond * EVENT_US) / 1e6 / PLANNED_SHARE);
  const gateways = Math.max(1, byConnections, byProcessor);
  return {
    gateways,
    memoryBytes: gateways * GATEWAY_BYTES + followers * FOLLOWER_BYTES,
    bitsPerSecond: 8 * followers * changesPerSecond * eventBytes,
    limit: byProcessor > byConnections ? 'the processor' : 'connections',
  };
}

const count = new Intl.NumberFormat('en');
const amount = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A label and its field, which wraps below it on phones without room for both. */
const LINE = 'display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; margin: 8px 0';
const FIELD = 'border: 1px solid var(--vp-c-text-3); border-radius: 4px; padding: 2px 8px; width: 11em';

/** How many gateways, and what else, the reader's numbers need. */
export const ScaleCalculator = defineComponent({
  name: 'ScaleCalculator',
  setup() {
    const followers = ref(100_000);
    const changes = ref(1);
    const bytes = ref(500);
    const size = computed(() => sizeFor(followers.value, changes.value, bytes.value));
    const field = (label: string, value: typeof followers) =>
      h('label', { style: LINE }, [
        h('span', { style: 'flex: 0 1 20em' }, label),
        h('input', {
          type: 'number',
          min: 0,
          value: value.value,
          style: FIELD,
          onInput: ({ target }: Event) => {
            if (target instanceof HTMLInputElement) value.value = Math.max(0, target.valueAsNumber || 0);
          },
        }),
      ]);
    return () =>
      h('div', { class: 'scale-calculator' }, [
        field('Followers', followers),
        field('Changes a second that reach each', changes),
        field('Bytes of an event', bytes),
        h('p', { 'aria-live': 'polite' }, [
          `${count.format(size.value.gateways)} ${size.value.gateways === 1 ? 'gateway' : 'gateways'}, by ${size.value.limit}; `,
          `${amount.format(size.value.memoryBytes / 1e9)} GB of memory in all; `,
          `${amount.format(size.value.bitsPerSecond / 1e9)} Gbit/s out of the edge.`,
        ]),
      ]);
  },
});
