import { StepBudget } from '../../calculations/evaluation/step-budget.ts'
import { limits } from '../../limits.ts'
import { resolveLinks } from '../../links/resolve-links.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { RecordInput } from '../input/record-input.ts'
import type { CellPatch } from '../stored/cell-patch.ts'
import type { RowOptions, RowReading } from './record-write.ts'
import { readRows } from './stages/read-rows.ts'
import { resolveFiles } from './stages/resolve-files.ts'

/**
 * What rows would leave in the cells that they name, were records made of them: nothing is held, nothing changed. A choice
 * that a field lacks is there by its name. Throws as the first two stages of a write do.
 */
export async function previewRows(
  context: RowReading['context'],
  sent: readonly RecordInput[],
  options: RowOptions,
): Promise<readonly CellPatch[]> {
  const graph = new SchemaGraph(context.tx, 'none')
  const { loaded, rows } = await readRows(
    { context, graph, options, strategy: { existing: [] } },
    sent,
  )
  const files = await resolveFiles({ context, options }, loaded.schema, rows)
  const budget = new StepBudget(limits.stepsPerWrite)
  const links = await resolveLinks(context, graph, loaded.schema, {
    rows,
    existing: [],
    locator: options,
    spend: (steps) => budget.spend(steps),
    isPreview: true,
  })
  const replaced = [...files, ...links]
  return rows.map((row, index) => {
    const cells = [...row]
    for (const [column, replacing] of replaced) cells[column] = replacing[index]
    return cells
  })
}
