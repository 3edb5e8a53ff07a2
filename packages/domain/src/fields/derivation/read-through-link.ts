import type { Field } from '../field.ts'
import { typeOf } from '../field-values.ts'
import { DerivationRefusal, type FieldSources, type Reading } from './derivation.ts'

/** Finds what a lookup or rollup reads: its link field in the same table, and the field in the linked one. */
export async function readThroughLink(
  { lookupOptions }: Pick<Field, 'lookupOptions'>,
  { own, foreign }: Pick<FieldSources, 'own' | 'foreign'>,
): Promise<Reading | DerivationRefusal> {
  if (!lookupOptions) return new DerivationRefusal(['lookupOptions'], 'must be given')
  const { linkFieldId, foreignTableId, lookupFieldId } = lookupOptions
  const link = own.get(linkFieldId)
  const ability = link && !link.isLookup && !link.hasError ? typeOf(link).link : undefined
  if (!link || !ability) {
    const path = ['lookupOptions', 'linkFieldId']
    return new DerivationRefusal(path, 'must be the id of a link field of this table')
  }
  if (ability.targetOf(link.options).foreignTableId !== foreignTableId) {
    const message = `must be the id of the table that "${link.name}" links to`
    return new DerivationRefusal(['lookupOptions', 'foreignTableId'], message)
  }
  const source = (await foreign(foreignTableId))?.fields.get(lookupFieldId)
  if (!source) {
    const path = ['lookupOptions', 'lookupFieldId']
    return new DerivationRefusal(path, 'must be the id of a field of the linked table')
  }
  const place = ability.placeOf(link.options)
  return { source, lookupOptions: { linkFieldId, foreignTableId, lookupFieldId, ...place } }
}
