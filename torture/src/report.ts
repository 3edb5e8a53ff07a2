import type { Outcome } from './run-attack.ts'
import type { Waits } from './watcher.ts'

const headings = [
  'attack',
  's',
  '/health p50',
  'p99',
  'own',
  'max',
  'GET p50',
  'p99',
  'own',
  'max',
  'MiB',
  'answers',
]

/**
 * A table of what became of a server under each attack; waits in milliseconds. `own` is p99 without what
 * threads waited for a processor.
 */
export function toReport(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => [
    `${outcome.faults.length > 0 ? '✗' : '✓'} ${outcome.storage} ${outcome.name}`,
    outcome.seconds.toFixed(1),
    ...toCells(outcome.watched.health),
    ...toCells(outcome.watched.read),
    String(Math.round(outcome.mostBytes / 1024 ** 2)),
    [...outcome.statuses].map(([status, count]) => `${status}:${count}`).join(' '),
  ])
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const align = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return [headings, ...rows].map(align).join('\n')
}

/** What became of it, in short, for who waits for the table. */
export function toLine({ seconds, watched, mostBytes, faults }: Outcome): string {
  const { health, read } = watched
  const times = [health.p99, health.ownP99, read.p99, read.ownP99].map(Math.round)
  const [healthP99, healthOwn, readP99, readOwn] = times
  return `${faults.length > 0 ? 'failed' : 'passed'} after ${Math.round(seconds)} s; p99 of /health ${healthP99} ms (own ${healthOwn}), of GET ${readP99} ms (own ${readOwn}); ${Math.round(mostBytes / 1024 ** 2)} MiB`
}

function toCells({ p50, p99, ownP99, longest }: Waits): string[] {
  return [p50, p99, ownP99, longest].map((time) => time.toFixed(1))
}
