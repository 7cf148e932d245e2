import { useEffect, useRef, useState } from 'preact/hooks';

import { eventId, runId, select } from '../page/address.js';
import { countText, durationText } from '../page/words.js';
import { activeRun, firstPieces, frames, pending, pendingIds, runIds } from '../server/open-session.js';
import {
  type Bar,
  type RunTimeline,
  timelineOf,
  timeScale,
  type TimelineRow,
  type TimeScale,
} from './run-timeline.js';

/** Milliseconds between two pictures of a run that goes on. */
const TICK_MS = 100;

/** The timeline of the shown run: a row for each agent, a bar for each model call, tool and wait. Drag to zoom. */
export function Timeline() {
  const [now, setNow] = useState(Date.now() / 1000);
  const [range, setRange] = useState<[number, number] | undefined>(undefined);
  const ids = runIds.value;
  const id = runId.value !== undefined && ids.includes(runId.value) ? runId.value : ids.at(-1);
  const isActive = activeRun.value !== undefined && id === ids.at(-1);
  const isMoving = isActive || pending.value.length > 0;

  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setNow(Date.now() / 1000), isActive ? TICK_MS : 1000);
    return () => clearInterval(timer);
  }, [isMoving, isActive]);
  useEffect(() => setRange(undefined), [id]);

  if (id === undefined) return null;
  const timeline = timelineOf(frames.value, id, { now, pending: pendingIds.value, isActive, firstPieces });
  if (timeline.rows.length === 0) return null;
  const scale = timeScale(timeline, range);
  return (
    <section class="timeline" aria-label="Timeline of the run">
      <TimelineHead
        timeline={timeline}
        ids={ids}
        isZoomed={range !== undefined}
        onReset={() => setRange(undefined)}
      />
      <Plot timeline={timeline} scale={scale} onZoom={setRange} />
      <TimelineTable timeline={timeline} />
    </section>
  );
}

interface HeadProps {
  readonly timeline: RunTimeline;
  readonly ids: readonly string[];
  readonly isZoomed: boolean;
  readonly onReset: () => void;
}

function TimelineHead({ timeline, ids, isZoomed, onReset }: HeadProps) {
  const index = ids.indexOf(timeline.invocationId);
  const open = (step: number) => {
    runId.value = ids[index + step];
  };
  return (
    <div class="timeline-head">
      <strong>
        Run {index + 1}
        {ids.length > 1 && <span class="muted"> of {ids.length}</span>}
      </strong>
      {ids.length > 1 && (
        <span class="timeline-steps">
          <button
            type="button"
            class="link"
            aria-label="Earlier run"
            disabled={index === 0}
            onClick={() => open(-1)}
          >
            ‹
          </button>
          <button
            type="button"
            class="link"
            aria-label="Later run"
            disabled={index === ids.length - 1}
            onClick={() => open(1)}
          >
            ›
          </button>
        </span>
      )}
      <span class="muted">{durationText(timeline.end - timeline.start)}</span>
      {timeline.tokens > 0 && <span class="muted">{countText(timeline.tokens)} tokens</span>}
      {isZoomed && (
        <button type="button" class="link" onClick={onReset}>
          Whole run
        </button>
      )}
      <span class="legend" aria-hidden="true">
        <i class="bar-model" /> model <i class="bar-tool" /> tool <i class="bar-wait" /> waits
      </span>
    </div>
  );
}

interface PlotProps {
  readonly timeline: RunTimeline;
  readonly scale: TimeScale;
  readonly onZoom: (range: [number, number]) => void;
}

function Plot({ timeline, scale, onZoom }: PlotProps) {
  const area = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<[number, number] | undefined>(undefined);
  const placeOf = (clientX: number): number => {
    const box = area.current?.getBoundingClientRect();
    return box ? Math.min(1, Math.max(0, (clientX - box.left) / box.width)) : 0;
  };
  const end = () => {
    if (drag) {
      const [from, to] = [...drag].sort((one, other) => one - other) as [number, number];
      if (to - from > 0.02) onZoom([scale.time(from), scale.time(to)]);
    }
    setDrag(undefined);
  };
  return (
    <div class="plot" onKeyDown={stepByArrows}>
      <div class="plot-names" aria-hidden="true">
        {timeline.rows.map((row) => (
          <span key={row.path} style={{ '--lanes': row.lanes, '--depth': row.depth }} title={row.path}>
            {row.name}
          </span>
        ))}
      </div>
      <div
        class="plot-area"
        ref={area}
        onPointerDown={({ clientX, pointerType, button }) => {
          if (pointerType === 'mouse' && button === 0) setDrag([placeOf(clientX), placeOf(clientX)]);
        }}
        onPointerMove={({ clientX }) => {
          if (drag) setDrag([drag[0], placeOf(clientX)]);
        }}
        onPointerUp={end}
        onPointerLeave={end}
      >
        {timeline.rows.map((row) => (
          <PlotRow key={row.path} row={row} scale={scale} />
        ))}
        {scale.breaks.map((place) => (
          <span
            key={place}
            class="plot-break"
            style={{ left: percent(place) }}
            title="Time is left out here"
          />
        ))}
        {drag !== undefined && (
          <span
            class="plot-zoom"
            style={{ left: percent(Math.min(...drag)), width: percent(Math.abs(drag[1] - drag[0])) }}
          />
        )}
      </div>
    </div>
  );
}

function PlotRow({ row, scale }: { readonly row: TimelineRow; readonly scale: TimeScale }) {
  return (
    <div class="plot-row" style={{ '--lanes': row.lanes }}>
      {row.bars.map((bar) => (
        <BarButton key={bar.id} bar={bar} agent={row.name} scale={scale} />
      ))}
    </div>
  );
}

function BarButton({
  bar,
  agent,
  scale,
}: {
  readonly bar: Bar;
  readonly agent: string;
  readonly scale: TimeScale;
}) {
  const start = scale.place(bar.start);
  const width = scale.place(bar.end) - start;
  const isSelected = bar.eventId !== '' && eventId.value === bar.eventId;
  const classes = [
    'bar',
    `bar-${bar.kind}`,
    bar.isOpen && 'is-open',
    bar.isFailed && 'is-failed',
    isSelected && 'is-selected',
  ];
  const label = `${agent}: ${bar.label}, ${bar.isOpen ? 'going on, ' : ''}${durationText(bar.end - bar.start)}${bar.isFailed ? ', failed' : ''}`;
  const pieceShare =
    bar.firstPiece === undefined || bar.end === bar.start
      ? 0
      : (bar.firstPiece - bar.start) / (bar.end - bar.start);
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(' ')}
      style={{
        left: percent(start),
        width: percent(width),
        '--lane': bar.lane,
        '--piece': percent(Math.min(1, Math.max(0, pieceShare))),
      }}
      aria-label={label}
      aria-pressed={isSelected}
      title={label}
      tabIndex={isSelected ? 0 : -1}
      data-start={bar.start}
      onClick={() => select(isSelected ? undefined : bar.eventId || undefined, callOf(bar))}
    >
      <span>{bar.kind === 'wait' ? 'waits' : bar.label}</span>
    </button>
  );
}

function callOf({ id, kind }: Bar): string | undefined {
  return kind === 'tool' && id.startsWith('call-') ? id.slice('call-'.length) : undefined;
}

/** The arrow keys go from bar to bar in the order of time. */
function stepByArrows(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  const bars = [...event.currentTarget.querySelectorAll<HTMLElement>('.bar')].sort(
    (one, other) => Number(one.dataset['start']) - Number(other.dataset['start']),
  );
  const next = bars[bars.indexOf(document.activeElement as HTMLElement) + step];
  next?.focus();
  next?.click();
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

/** The same for screen readers. */
function TimelineTable({ timeline }: { readonly timeline: RunTimeline }) {
  return (
    <table class="hidden">
      <caption>Steps of the run</caption>
      <thead>
        <tr>
          <th>Agent</th>
          <th>Step</th>
          <th>Begins after</th>
          <th>Takes</th>
        </tr>
      </thead>
      <tbody>
        {timeline.rows.flatMap((row) =>
          row.bars.map((bar) => (
            <tr key={bar.id}>
              <td>{row.name}</td>
              <td>{bar.label}</td>
              <td>{durationText(bar.start - timeline.start)}</td>
              <td>{durationText(bar.end - bar.start)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
