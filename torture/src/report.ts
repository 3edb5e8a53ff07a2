import type { Outcome } from './run-attack.ts'
import type { Waits } from './watcher.ts'

const headings = [
  'attack',
  's',
  '/health p50',
  'p99',
  'max',
  'GET p50',
  'p99',
  'max',
  'MiB',
  'answers',
]

/** A table of what became of a server under each attack; waits in milliseconds. */
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
  const toLine = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return [headings, ...rows].map(toLine).join('\n')
}

function toCells({ p50, p99, longest }: Waits): string[] {
  return [p50, p99, longest].map((time) => time.toFixed(1))
}
