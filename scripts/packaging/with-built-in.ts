/** A bill of materials, as far as it is read here: CycloneDX. */
export interface Bill {
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly group?: string
}

interface Dependency {
  readonly ref: string
  readonly dependsOn?: readonly string[]
}

/**
 * The bill with the packages of these names as well, and with all that they need, as the bill of the whole tells it. Throws
 * for a name that isn't there.
 */
export function withBuiltIn<OneBill extends Bill>(
  bill: OneBill,
  whole: Bill,
  names: readonly string[],
): OneBill {
  const needs = new Map(whole.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]))
  const added = new Set(names.map((name) => refOf(whole, name)))
  // A set goes on over what is added to it meanwhile.
  for (const ref of added) for (const needed of needs.get(ref) ?? []) added.add(needed)
  const known = new Set(bill.components.map((component) => component['bom-ref']))
  const isNew = (ref: string) => added.has(ref) && !known.has(ref)
  return {
    ...bill,
    components: [
      ...bill.components,
      ...whole.components.filter((component) => isNew(component['bom-ref'])),
    ],
    dependencies: [...bill.dependencies, ...whole.dependencies.filter(({ ref }) => isNew(ref))],
  }
}

function refOf({ components }: Bill, name: string): string {
  const found = components.find(
    (component) => [component.group, component.name].filter(Boolean).join('/') === name,
  )
  if (!found) throw new Error(`There is no ${name} in what is installed`)
  return found['bom-ref']
}
