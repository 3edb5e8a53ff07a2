import { invalidAt, notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { compareCodePoints, compareText, foldCase } from '../../values/text.ts'
import { becomeLongIfMany } from '../reading/become-long-if-many.ts'
import { type AskedContext, findAskedQuery } from './find-asked-query.ts'

/** Somebody as they are chosen from. */
export interface NamedPerson {
  readonly id: string
  readonly name: string
}

/**
 * Those whom the cells of a field name, of the records that the caller is shown, by name; `not_found` for a field that
 * isn't shown or names nobody, `validation_error` where they are too many.
 */
export async function findNamedPeople(
  context: AskedContext,
  fieldId: string,
): Promise<readonly NamedPerson[]> {
  const { tx } = context
  const { schema, shown, query } = await findAskedQuery(context, { fieldKeyType: 'id' })
  const field = shown.byKey.id.get(fieldId)
  if (!field?.rules.userIds) throw notFound('field of people', fieldId)
  const { condition } = query
  await becomeLongIfMany(tx, schema, condition)
  const most = limits.peopleNamed
  const ids = await tx.recordFinder.userIds(schema, condition, field, most + 1)
  if (ids.length > most) {
    throw invalidAt(['fieldId'], `must be a field whose cells name ${most} people at most`)
  }
  const names = await tx.users.namesOf(ids)
  return [...names]
    .map(([id, name]) => ({ id, name }))
    .toSorted((a, b) => compareText(a.name, b.name) || compareCodePoints(a.id, b.id))
}

/** The page of those in whose names the text is; upper and lower case are the same. */
export function pageOfPeople(
  people: readonly NamedPerson[],
  { search = '', skip, take }: { readonly search?: string | undefined; skip: number; take: number },
): readonly NamedPerson[] {
  const text = foldCase(search)
  return people.filter(({ name }) => foldCase(name).includes(text)).slice(skip, skip + take)
}
