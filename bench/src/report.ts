import { cpus } from 'node:os'
import type { Measurement } from './benchmark.ts'

/** The measurements as a table for the terminal, under a line that says where they were made. */
export function toReport(measurements: readonly Measurement[]): string {
  const [cpu] = cpus()
  const machine = `${cpus().length} x ${cpu?.model.trim()}, Node ${process.versions.node}`
  const head = ['benchmark', 'gateleg', 'against', 'ratio', 'target', '']
  const rows = measurements.map(({ name, ours, other, ratio, target, isMet }) => [
    name,
    ours,
    other ?? '',
    ratio === undefined ? '' : ratio.toFixed(2),
    target,
    isMet ? 'met' : 'MISSED',
  ])
  return [machine, '', ...alignColumns([head, ...rows])].join('\n')
}

/** Names to the left, figures to the right. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((text, column) => {
        const width = widths[column] ?? 0
        return column === 0 || column === row.length - 1 ? text.padEnd(width) : text.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
}
