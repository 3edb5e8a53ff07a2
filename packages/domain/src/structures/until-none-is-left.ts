/** How things are found that are to be changed. */
export interface Search<Thing extends { readonly id: string }> {
  /** How many `find` answers at most. */
  readonly most: number
  /** Those that follow one, in the order of their ids. */
  find(after: string, most: number): Promise<readonly Thing[]>
  isMeant(thing: Thing): boolean
  giveWay(): Promise<void>
}

/**
 * Changes all things that are meant, each once, and looks again for such that came meanwhile, until there is none: whoever copies one
 * holds it until the copy is there, so that what was copied before its turn is found next time.
 */
export async function untilNoneIsLeft<Thing extends { readonly id: string }>(
  search: Search<Thing>,
  change: (id: string) => Promise<void>,
): Promise<void> {
  const done = new Set<string>()
  for (let before = -1; done.size > before; ) {
    before = done.size
    await changeAll(search, done, change)
  }
}

/** Changes all that there are by now, but for those that were changed. */
async function changeAll<Thing extends { readonly id: string }>(
  { most, find, isMeant, giveWay }: Search<Thing>,
  done: Set<string>,
  change: (id: string) => Promise<void>,
): Promise<void> {
  for (let after = ''; ; ) {
    const page = await find(after, most)
    for (const { id } of page.filter((thing) => !done.has(thing.id) && isMeant(thing))) {
      done.add(id)
      await change(id)
      await giveWay()
    }
    await giveWay()
    const last = page.at(-1)
    if (!last || page.length < most) return
    after = last.id
  }
}
