import { z } from 'zod'
import { fieldTypeNames } from '../../fields/field-type-name.ts'
import { typeOf } from '../../fields/field-values.ts'
import { relationships } from '../../fields/link-end.ts'
import type { DiagramField } from '../../schemas/diagram-field.ts'
import type { Table } from '../../tables/table.ts'
import type { Base } from '../base.ts'

const diagramFieldOutput = z.object({
  id: z.string().describe('The id of the field'),
  name: z.string().describe('Its name'),
  type: z.enum(fieldTypeNames).describe('Its type; of a lookup, that of the field that it shows'),
  isPrimary: z.literal(true).optional().describe('Whether it is the primary field of its table'),
  isLookup: z.literal(true).optional().describe('Whether it is a lookup'),
})

/** A table, as a diagram shows it. */
export const nodeOutput = z
  .object({
    id: z.string().describe('The id of the table'),
    name: z.string().describe('Its name'),
    icon: z.string().optional().describe('An emoji, if it has one'),
    crossBaseId: z.string().optional().describe('The base of a table that lies in another one'),
    crossBaseName: z.string().optional().describe('The name of that base'),
    fields: z
      .array(diagramFieldOutput)
      .describe('All fields in their order; of a table of another base those that are read'),
  })
  .meta({ id: 'DiagramTable' })

const endOutput = z.object({
  tableId: z.string(),
  tableName: z.string(),
  fieldId: z.string(),
  fieldName: z.string(),
})

/** That a field leads to another one, as a diagram shows it. */
export const edgeOutput = z
  .object({
    source: endOutput.describe('The field that links or reads'),
    target: endOutput.describe(
      'The field that shows the link from the other end, or, where it is one-way, gives its titles; of a lookup or rollup the field that is read',
    ),
    type: z.enum(['link', 'lookup', 'rollup']).describe('By what the one leads to the other'),
    relationship: z
      .enum(relationships)
      .optional()
      .describe('Of a link: how many records stand at each end'),
    isOneWay: z
      .boolean()
      .optional()
      .describe('Of a link: whether no field shows it from the other end'),
  })
  .meta({ id: 'DiagramRelation' })

type EdgeType = z.output<typeof edgeOutput>['type']

/** That a field leads to another one, wherever that lies. */
export interface Relation {
  readonly field: DiagramField
  readonly type: EdgeType
  readonly targetTableId: string
  readonly targetId: string
  readonly link?: Pick<z.output<typeof edgeOutput>, 'relationship' | 'isOneWay'>
}

/** How the fields lead to others. A link that two of them show is told of once, by the one that was made first. */
export function relationsOf(fields: readonly DiagramField[]): readonly Relation[] {
  const ids = new Set(fields.map(({ id }) => id))
  return fields.flatMap((field): readonly Relation[] => {
    if (field.hasError) return []
    const { lookupOptions, isLookup } = field
    if (lookupOptions) {
      const { foreignTableId: targetTableId, lookupFieldId: targetId } = lookupOptions
      return [{ field, type: isLookup ? 'lookup' : 'rollup', targetTableId, targetId }]
    }
    const capability = typeOf(field).link
    if (!capability) return []
    const { foreignTableId, symmetricFieldId } = capability.targetOf(field.options)
    const { relationship, isOwner } = capability.endOf(field.options)
    if (symmetricFieldId !== undefined && ids.has(symmetricFieldId) && !isOwner) return []
    const targetId = symmetricFieldId ?? capability.titleFieldId(field.options) ?? ''
    const link = { relationship, isOneWay: symmetricFieldId === undefined }
    return [{ field, type: 'link', targetTableId: foreignTableId, targetId, link }]
  })
}

/** What the caller may see of other bases, as far as relations lead there. */
export interface Elsewhere {
  readonly bases: ReadonlyMap<string, Base>
  readonly tables: readonly Table[]
  readonly fields: readonly DiagramField[]
}

/** Tables and fields that a diagram shows. */
export class Diagram {
  readonly #tables: ReadonlyMap<string, Table>
  readonly #fields: ReadonlyMap<string, DiagramField>
  readonly #bases: ReadonlyMap<string, Base>

  constructor(tables: readonly Table[], fields: readonly DiagramField[], elsewhere: Elsewhere) {
    const allTables = [...tables, ...elsewhere.tables]
    const allFields = [...fields, ...elsewhere.fields]
    this.#tables = new Map(allTables.map((table) => [table.id, table]))
    this.#fields = new Map(allFields.map((field) => [field.id, field]))
    this.#bases = elsewhere.bases
  }

  nodes(): z.output<typeof nodeOutput>[] {
    const byTable = Map.groupBy(this.#fields.values(), ({ tableId }) => tableId)
    return [...this.#tables.values()].map(({ id, name, icon, baseId }) => {
      const other = this.#bases.get(baseId)
      return {
        id,
        name,
        ...(icon !== null && { icon }),
        ...(other && { crossBaseId: other.id, crossBaseName: other.name }),
        fields: (byTable.get(id) ?? []).map(toFieldOutput),
      }
    })
  }

  /** Those whose both ends are shown. */
  edges(relations: readonly Relation[]): z.output<typeof edgeOutput>[] {
    return relations.flatMap(({ field, type, targetId, link }) => {
      const source = this.#endOf(field.id)
      const target = this.#endOf(targetId)
      return source && target ? [{ source, target, type, ...link }] : []
    })
  }

  #endOf(fieldId: string): z.output<typeof endOutput> | undefined {
    const field = this.#fields.get(fieldId)
    const table = field && this.#tables.get(field.tableId)
    return table && { tableId: table.id, tableName: table.name, fieldId, fieldName: field.name }
  }
}

function toFieldOutput({ id, name, type, isPrimary, isLookup }: DiagramField) {
  return {
    ...{ id, name, type },
    ...(isPrimary && { isPrimary }),
    ...(isLookup && { isLookup }),
  } as z.output<typeof diagramFieldOutput>
}
