import {
  DerivationRefusal,
  type FieldSources,
  type ForeignTable,
  type Reading,
} from '../computed/derivation.ts'
import type { Field } from '../field.ts'
import { typeOf } from '../field-values.ts'
import type { Misfit } from '../misfit.ts'

/** Finds what a lookup or rollup reads: its link field in the same table, and the field in the linked one. */
export async function readThroughLink(
  { lookupOptions }: Pick<Field, 'lookupOptions'>,
  { own, foreign, misfitOfFilter }: Pick<FieldSources, 'own' | 'foreign' | 'misfitOfFilter'>,
): Promise<Reading | DerivationRefusal> {
  if (!lookupOptions) return new DerivationRefusal(['lookupOptions'], 'must be given')
  const { linkFieldId, foreignTableId, lookupFieldId, baseId, filter } = lookupOptions
  const link = own.get(linkFieldId)
  const capability = link && !link.isLookup && !link.hasError ? typeOf(link).link : undefined
  if (!link || !capability) {
    const path = ['lookupOptions', 'linkFieldId']
    return new DerivationRefusal(path, 'must be the id of a link field of this table')
  }
  if (capability.targetOf(link.options).foreignTableId !== foreignTableId) {
    const message = `must be the id of the table that "${link.name}" links to`
    return new DerivationRefusal(['lookupOptions', 'foreignTableId'], message)
  }
  const target = await foreign(foreignTableId)
  const source = target?.fields.get(lookupFieldId)
  if (!target || !source) {
    const path = ['lookupOptions', 'lookupFieldId']
    return new DerivationRefusal(path, 'must be the id of a field of the linked table')
  }
  const issue = filter && misfitOfFilter(filter, target.fields, 'always')
  if (issue) return new DerivationRefusal(['lookupOptions', 'filter', ...issue.path], issue.message)
  const place = capability.placeOf(link.options)
  return {
    source,
    lookupOptions: {
      linkFieldId,
      foreignTableId,
      lookupFieldId,
      ...place,
      ...(filter ? { filter } : {}),
    },
    misfit: misfitOfBase(baseId, target),
  }
}

/** What is wrong with the base that a caller says a linked table is in. */
function misfitOfBase(baseId: string | undefined, { table }: ForeignTable): Misfit | undefined {
  if (baseId === undefined || baseId === table.baseId) return undefined
  const message = 'must be left out, or be the id of the base of the linked table'
  return { among: 'lookupOptions', option: 'baseId', message }
}
