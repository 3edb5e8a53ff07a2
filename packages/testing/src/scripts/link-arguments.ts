import { relationships } from '@gateleg/domain/fields/link-end'
import { rollupExpressions } from '@gateleg/domain/fields/types/rollup'
import fc from 'fast-check'
import { ref, some } from './arguments.ts'
import type { Ref } from './script.ts'
import type { KnownField, KnownTable, ScriptState } from './script-state.ts'

/** Where a link leads, and what is shown of the records there. */
export interface LinkArgs {
  readonly to: Ref | 'own'
  /** The field that titles come from. */
  readonly titles?: Ref
  readonly view?: Ref
  readonly shown?: readonly Ref[]
}

/** What a lookup or rollup reads: through which link of its table, which field of the linked one. */
export interface ReadingArgs {
  readonly link: number
  readonly source: Ref
}

export const linkOptions = fc
  .tuple(fc.constantFrom(...relationships), fc.option(fc.boolean(), { nil: undefined, freq: 2 }))
  .map(([relationship, isOneWay]) => ({
    relationship,
    ...(isOneWay !== undefined && { isOneWay }),
  }))

export const linkArgs: fc.Arbitrary<LinkArgs> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: ref }, { weight: 1, arbitrary: fc.constant<'own'>('own') }),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 2, arbitrary: fc.record({ titles: ref }) },
      {
        weight: 1,
        arbitrary: some({ titles: ref, view: ref, shown: fc.array(ref, { maxLength: 2 }) }),
      },
    ),
  )
  .map(([to, rest]) => ({ to, ...rest }))

export const readingArgs: fc.Arbitrary<ReadingArgs> = fc.record({
  link: fc.nat({ max: 3 }),
  source: ref,
})

export const rollupExpression = fc.constantFrom(...rollupExpressions)

/** The members of a link's options that name other things. */
export function toLinkOptions(
  { to, titles, view, shown }: LinkArgs,
  { tables }: ScriptState,
  table: KnownTable | undefined,
): object {
  const foreign = to === 'own' ? table : tables.find(to)
  const idOf = (field: Ref) => foreign?.fields.idOf(field) ?? 'unknown'
  return {
    foreignTableId: foreign?.id ?? 'unknown',
    ...(titles !== undefined && { lookupFieldId: idOf(titles) }),
    ...(view !== undefined && { filterByViewId: foreign?.views.idOf(view) ?? 'unknown' }),
    ...(shown && { visibleFieldIds: shown.map(idOf) }),
  }
}

/** The lookupOptions of a field of the table, and the field that it reads. */
export function toReading(
  { link, source }: ReadingArgs,
  known: ScriptState,
  table: KnownTable | undefined,
) {
  const links = table?.fields.there.filter(isLink) ?? []
  const field = links[link % links.length]
  const foreign = known.tableOf(field?.options.foreignTableId)
  const read = foreign?.fields.find(source)
  const lookupOptions = {
    foreignTableId: foreign?.id ?? 'unknown',
    linkFieldId: field?.id ?? 'unknown',
    lookupFieldId: read?.id ?? 'unknown',
  }
  return { lookupOptions, read }
}

function isLink({ type, isLookup = false }: KnownField): boolean {
  return type === 'link' && !isLookup
}
