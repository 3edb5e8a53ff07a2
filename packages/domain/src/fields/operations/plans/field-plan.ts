import { z } from 'zod'
import { type Origin, planStages } from '../../../calculations/stages/plan-stages.ts'
import { limits } from '../../../limits.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { ReadTx } from '../../../store.ts'
import type { Field } from '../../field.ts'
import { linkCapabilityOf, symmetricOf } from '../../link-of.ts'

/** What a change of a field would cost, before it is made. */
export const fieldPlan = z
  .object({
    /** Milliseconds, roughly. */
    estimateTime: z.number().describe('How long it would take, in milliseconds, roughly'),
    /** Cells that would get another value, those of fields that follow from the field among them. */
    updateCellCount: z
      .number()
      .describe(
        'How many cells would get another value, with those of fields that follow from the field',
      ),
    /** Link fields that would be made, changed or deleted. */
    linkFieldCount: z.number().describe('How many link fields would be made, changed or deleted'),
  })
  .meta({ id: 'FieldPlan' })
export type FieldPlan = z.output<typeof fieldPlan>

/** Cells that are computed and stored in a second, roughly; measured on two processor cores. */
const cellsPerSecond = 50_000

/** The plan for so many cells and link fields. */
export function toFieldPlan(updateCellCount: number, linkFieldCount: number): FieldPlan {
  const estimateTime = Math.ceil((updateCellCount / cellsPerSecond) * 1_000)
  return { estimateTime, updateCellCount, linkFieldCount }
}

/** The link fields that a field is one of: itself, and the one at the other end; none for no link. */
export function linkFieldIds(field: Field): readonly string[] {
  if (!linkCapabilityOf(field)) return []
  const end = symmetricOf(field)
  return end ? [field.id, end.fieldId] : [field.id]
}

/** How many cells follow from the origins: all those of each field that does. */
export async function countFollowing(
  tx: ReadTx,
  graph: SchemaGraph,
  origins: readonly Origin[],
): Promise<number> {
  let cells = 0
  for (const { schema, fields } of await planStages(graph, origins)) {
    cells += fields.length * (await tx.recordScanner.count(schema, limits.recordsCounted))
  }
  return cells
}
