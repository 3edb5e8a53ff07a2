import type { Timestamp } from '@gateleg/domain/clock'
import { toTimestamp } from '@gateleg/domain/clock'
import { dayMs, type TimeZone, timeZone } from '@gateleg/domain/values/dates/time-zone'

/** When the clocks of a zone were set, and how far they are ahead before the first change and after each. */
interface ZoneChanges {
  readonly moments: readonly Timestamp[]
  readonly offsetsMs: readonly number[]
}

/** No zone set its clocks before. */
const firstListed = Date.UTC(1800, 0, 1)

/**
 * From then on clocks are set by rules that go by the calendar, as far as anybody knows: what they do in the years up to
 * the end of the list they do again in the same years of the calendar's next cycle, and so on.
 */
export const recurringFrom = Date.UTC(2100, 0, 1)

/** The calendar repeats itself after 400 years, days of the week included. */
export const calendarCycleMs = 146_097 * dayMs

/** The changes up to then are listed. */
export const lastListed = recurringFrom + calendarCycleMs

const changesByZone = new WeakMap<TimeZone, ZoneChanges>()

/** The zones whose changes are looked for now. */
const lookedFor = new WeakMap<TimeZone, Promise<void>>()

/** Before 1900 clocks were set once and for all, and most of them never again. */
const firstSummer = Date.UTC(1900, 0, 1)

/** Until then. */
const earlyStepMs = 100 * dayMs

/** No zone sets its clocks twice within so many days and back, but for a few that did in wartime. */
const stepMs = 5 * dayMs

/** A step no longer than a summer or a winter: zones that set their clocks by rules have some months of each. */
const recurringStepMs = 50 * dayMs

/** How often Intl is asked, for a microsecond or two each, before others may run. */
const asksPerTurn = 500

/** Whether the changes of the zone are known, and to ask for them takes no time. */
export function areChangesKnown(zone: TimeZone): boolean {
  return changesByZone.has(zone)
}

/** Finds the changes of the zone, and lets others run meanwhile: it takes a tenth of a second. */
export async function findChangesOfZone(
  zone: TimeZone,
  giveWay: () => Promise<void>,
): Promise<void> {
  const looking = lookedFor.get(zone) ?? findInTurns(zone, giveWay)
  lookedFor.set(zone, looking)
  await looking
}

async function findInTurns(zone: TimeZone, giveWay: () => Promise<void>): Promise<void> {
  const finding = findChanges(zone)
  for (let next = finding.next(); ; next = finding.next()) {
    if (next.done) return void changesByZone.set(zone, next.value)
    await giveWay()
  }
}

/** The changes of the zone up to `lastListed`. */
export function changesOfZone(zone: TimeZone): ZoneChanges {
  const known = changesByZone.get(zone)
  if (known) return known
  const finding = findChanges(zone)
  let next = finding.next()
  while (!next.done) next = finding.next()
  changesByZone.set(zone, next.value)
  return next.value
}

/** Finds the changes of a zone. Yields where others may run. */
function* findChanges({ askOffsetAt }: TimeZone): Generator<void, ZoneChanges> {
  let asks = 0
  const offsetAt = (epochMs: number) => {
    asks++
    return askOffsetAt(epochMs)
  }
  const moments: Timestamp[] = []
  const offsetsMs = [offsetAt(firstListed)]
  let before = offsetAt(firstListed)
  for (let at = firstListed, end = at; at < lastListed; at = end) {
    end = Math.min(at + stepAt(at), lastListed)
    const after = offsetAt(end)
    if (before !== after) {
      const changed = firstWith(offsetAt, at, end, after)
      moments.push(toTimestamp(changed))
      offsetsMs.push(after)
      before = after
    }
    if (asks < asksPerTurn) continue
    yield
    asks = 0
  }
  return { moments, offsetsMs }
}

function stepAt(epochMs: number): number {
  if (epochMs < firstSummer) return earlyStepMs
  return epochMs < recurringFrom ? stepMs : recurringStepMs
}

/** The first second after the beginning at which the clocks are as far ahead as at the end. */
function firstWith(
  offsetAt: (epochMs: number) => number,
  from: number,
  to: number,
  wanted: number,
): number {
  let [before, after] = [from / 1_000, to / 1_000]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle * 1_000) === wanted) after = middle
    else before = middle
  }
  return after * 1_000
}

/** A value of a statement: the moments at which the clocks of a zone change, or how far they are ahead before and after. */
export class ZoneList {
  readonly zone: TimeZone
  readonly #name: string
  readonly #member: keyof ZoneChanges

  private constructor(zone: TimeZone, name: string, member: keyof ZoneChanges) {
    this.zone = zone
    this.#name = name
    this.#member = member
  }

  /** The lists of a zone, which are the same for all its names: a statement sends each once. */
  static ofZone(name: string): { readonly moments: ZoneList; readonly offsetsMs: ZoneList } {
    const zone = timeZone(name)
    const known = listsByZone.get(zone)
    if (known) return known
    const lists = {
      moments: new ZoneList(zone, name, 'moments'),
      offsetsMs: new ZoneList(zone, name, 'offsetsMs'),
    }
    listsByZone.set(zone, lists)
    return lists
  }

  get values(): readonly unknown[] {
    return changesOfZone(this.zone)[this.#member]
  }

  /** What tells it from other values. */
  toJSON(): string {
    return `${this.#member} of ${this.#name}`
  }
}

const listsByZone = new WeakMap<TimeZone, ReturnType<typeof ZoneList.ofZone>>()
