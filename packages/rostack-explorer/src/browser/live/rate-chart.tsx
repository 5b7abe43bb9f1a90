import type { Transition } from 'rostack-core';
import { type Second, totalOf } from './rate-window.ts';

const WIDTH = 600;
const HEIGHT = 72;
const ORDER: readonly Transition[] = ['create', 'update', 'delete'];

/** The number of events in each of the last seconds, as stacked bars. */
export function RateChart({ seconds }: { readonly seconds: readonly Second[] }) {
  const totals = seconds.map(totalOf);
  const top = Math.max(4, ...totals);
  const sum = totals.reduce((left, right) => left + right, 0);
  const words = `${(sum / seconds.length).toFixed(1)} events per second on average over the last ${seconds.length} seconds, at most ${Math.max(...totals)}`;
  const step = WIDTH / seconds.length;
  return (
    <span class="chart" title={words}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        <line class="grid" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {seconds.map((second, index) => (
          <Bar key={index} second={second} x={index * step + 1} width={step - 2} top={top} />
        ))}
        <line class="axis" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      </svg>
    </span>
  );
}

interface BarProps {
  readonly second: Second;
  readonly x: number;
  readonly width: number;
  /** The number of events at full height. */
  readonly top: number;
}

function Bar({ second, x, width, top }: BarProps) {
  let below = 0;
  return (
    <g>
      {ORDER.map((transition) => {
        const height = (second[transition] / top) * (HEIGHT - 2);
        below += height;
        return height === 0 ? null : (
          <rect
            key={transition}
            class={transition}
            x={x}
            y={HEIGHT - 1 - below}
            width={width}
            height={height}
          />
        );
      })}
    </g>
  );
}
