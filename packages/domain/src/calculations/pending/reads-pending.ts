import type { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { Stage } from '../stages/plan-stages.ts'

/** Whether one of the fields reads a field that is being computed in the background. */
export async function readsPending(
  graph: SchemaGraph,
  { schema, fields }: Pick<Stage, 'schema' | 'fields'>,
): Promise<boolean> {
  for (const { computation } of fields) {
    const { ownFieldIds = [], through } = computation ?? {}
    if (ownFieldIds.some((id) => schema.byKey.id.get(id)?.field.isPending)) return true
    const link = schema.byKey.id.get(through?.linkFieldId ?? '')?.link
    if (!link || !through) continue
    for (const fieldId of through.fieldIds) {
      const source = await graph.findField(link.foreignTableId, fieldId)
      if (source?.field.isPending) return true
    }
  }
  return false
}
