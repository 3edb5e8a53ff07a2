import { cpus } from 'node:os'
import type { Measurement } from './benchmark.ts'

/**
 * The measurements as a table for the terminal, under a line that says where they were made; beside those of an earlier
 * run by the same names, where one is given.
 */
export function toReport(
  measurements: readonly Measurement[],
  earlier?: readonly Measurement[],
): string {
  const before = new Map(earlier?.map((one) => [one.name, one]))
  const beforeHead = earlier ? ['earlier', 'ratio'] : []
  const [cpu] = cpus()
  const machine = `${cpus().length} x ${cpu?.model.trim()}, Node ${process.versions.node}`
  const head = ['benchmark', 'gateleg', 'against', 'ratio', 'target', ...beforeHead, '']
  const rows = measurements.map(({ name, ours, other, ratio, target, isMet }) => [
    name,
    ours,
    other ?? '',
    toRatio(ratio),
    target ?? '',
    ...(earlier ? [before.get(name)?.ours ?? '', toRatio(before.get(name)?.ratio)] : []),
    isMet === undefined ? '' : isMet ? 'met' : 'MISSED',
  ])
  return [machine, '', ...alignColumns([head, ...rows])].join('\n')
}

function toRatio(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(2)
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
