import type { Timestamp } from '../clock.ts'
import { DomainError } from '../errors.ts'
import type { ReadTx, WriteTx } from '../store.ts'
import type { Plans } from './plans.ts'
import type { PlanLimits } from './product.ts'
import { type Estimate, mayCountAgain, type SpaceAmount } from './space-estimates.ts'
import { unlimited } from './unlimited.ts'
import type { CountedPlace } from './usage-reader.ts'

/** What it takes to find out how much a space has. */
export interface UsageContext {
  readonly tx: Pick<ReadTx, 'usage' | 'becomeLong'> & Partial<Pick<WriteTx, 'onEnd'>>
  readonly now: Timestamp
  /** Absent where nothing is limited. */
  readonly plans?: Plans
}

type Measured = 'maxRows' | 'maxSizeAttachments' | 'maxCollaborators'

/** Those that are estimated: to find them out takes long. */
type EstimatedLimit = 'maxRows' | 'maxSizeAttachments'

/** How often it is looked, while others are adding, before somebody is refused. */
const looksMost = 3

/** What is limited, in words. */
const nouns: Readonly<Record<Measured, string>> = {
  maxRows: 'records',
  maxSizeAttachments: 'bytes of files',
  maxCollaborators: 'people',
} satisfies Partial<Record<keyof PlanLimits, string>>

/**
 * Throws `payment_required` when the level of the space has no room for so many records more. Those that nothing is
 * added of yet are asked for again when it is.
 */
export function requireRecordRoom(
  context: UsageContext,
  spaceId: string,
  more: number,
  adding?: 'all' | 'nothing yet',
): Promise<void> {
  return requireRoom(context, spaceId, 'maxRows', more, adding)
}

/** Throws `payment_required` when the space of the base, whichever it is, has no room for so many records more. */
export async function requireRecordRoomInBase(
  context: UsageContext,
  baseId: string,
  more: number,
): Promise<void> {
  const spaceId = context.plans && (await context.tx.usage.spaceOf(baseId))
  if (spaceId !== undefined) await requireRecordRoom(context, spaceId, more)
}

/** Throws `payment_required` when the space has no room for the records that come back with a table or a base. They are
 * counted where the level limits them. */
export async function requireRoomForReturn(
  context: UsageContext,
  spaceId: string,
  place: CountedPlace,
): Promise<void> {
  if (mostRecords(context, spaceId) === unlimited) return
  context.tx.becomeLong()
  await requireRecordRoom(context, spaceId, await context.tx.usage.countRecordsIn(place))
}

/** Throws `payment_required` when the level of a space that comes back has no room for all its records. */
export async function requireRoomForSpace(context: UsageContext, spaceId: string): Promise<void> {
  const { tx, plans } = context
  const most = mostRecords(context, spaceId)
  if (!plans || most === unlimited) return
  tx.becomeLong()
  const used = await tx.usage.countRecords(spaceId)
  if (used > most) throw tooMuch(plans, spaceId, 'maxRows', used)
}

function mostRecords({ plans }: UsageContext, spaceId: string): number {
  return plans?.of(spaceId).limit.maxRows ?? unlimited
}

/** Throws `payment_required` when the level of the space has no room for so many bytes of files more. */
export function requireFileRoom(
  context: UsageContext,
  spaceId: string,
  more: number,
): Promise<void> {
  return requireRoom(context, spaceId, 'maxSizeAttachments', more)
}

/** Throws `payment_required` when the space has no room for any more bytes of files: all that is told before they have come. */
export function requireAnyFileRoom(context: UsageContext, spaceId: string): Promise<void> {
  return requireRoom(context, spaceId, 'maxSizeAttachments', 1, 'nothing yet')
}

/** Has the bytes of files of a space looked up again once the transaction has ended, which takes files away from it. */
export function filesLeave(
  { plans, tx }: { readonly tx: Pick<WriteTx, 'onEnd'>; readonly plans?: Plans },
  spaceId: string,
): void {
  if (plans) tx.onEnd(() => amountOf(plans, spaceId, 'maxSizeAttachments').forget())
}

/** Throws `payment_required` when there is no room for the people who are to have a role in a space, or in a base. */
export async function requirePeopleRoom(
  { plans, tx }: { readonly tx: Pick<WriteTx, 'usage' | 'collaborators'>; readonly plans?: Plans },
  place: { readonly resourceType: 'space' | 'base'; readonly resourceId: string },
  userIds: readonly string[],
): Promise<void> {
  if (!plans) return
  const { resourceType, resourceId } = place
  const spaceId = resourceType === 'space' ? resourceId : await tx.usage.spaceOf(resourceId)
  if (spaceId === undefined) return
  const { maxCollaborators: most = unlimited } = plans.of(spaceId).limit
  if (most === unlimited) return
  // People who join it, and bases of it, at the same time are counted one after another.
  await tx.collaborators.holdCount(spaceId)
  const others = await tx.usage.countCollaborators(spaceId, userIds)
  if (others + userIds.length <= most) return
  const used = await tx.usage.countCollaborators(spaceId)
  throw tooMuch(plans, spaceId, 'maxCollaborators', used)
}

async function requireRoom(
  context: UsageContext,
  spaceId: string,
  name: EstimatedLimit,
  more: number,
  adding: 'all' | 'nothing yet' = 'all',
): Promise<void> {
  const { plans, tx } = context
  if (!plans || more === 0) return
  const most = plans.of(spaceId).limit[name]
  if (most === unlimited) return
  const amount = amountOf(plans, spaceId, name)
  for (let looks = 1; ; looks++) {
    const isBeingAdded = amount.isBeingAdded(tx)
    const used = amount.by(await estimateOf(context, amount, { spaceId, name, bound: most - more }))
    if (used + more <= most) break
    // What others are adding may be counted twice, or not stay: it is looked again once or twice whether they have ended.
    if (looks === looksMost || !isBeingAdded) throw tooMuch(plans, spaceId, name, used)
  }
  if (adding === 'all') amount.add(tx, more)
}

/** How many records the space has, and bytes of files, as of the last minute. */
export async function findUsage(
  context: UsageContext,
  plans: Plans,
  spaceId: string,
): Promise<{ readonly rows: number; readonly attachmentBytes: number }> {
  const find = (name: EstimatedLimit, bound: number) =>
    estimateOf(context, amountOf(plans, spaceId, name), { spaceId, name, bound })
  const known = await find('maxRows', Number.POSITIVE_INFINITY)
  const isCounted = Number.isFinite(known.countedAt)
  // Below everything, so that it is counted exactly where it has not been in the last minute.
  const rows = isCounted ? known : await find('maxRows', -1)
  const bytes = await find('maxSizeAttachments', -1)
  return {
    rows: amountOf(plans, spaceId, 'maxRows').by(rows),
    attachmentBytes: amountOf(plans, spaceId, 'maxSizeAttachments').by(bytes),
  }
}

function amountOf({ estimates }: Plans, spaceId: string, name: EstimatedLimit): SpaceAmount {
  return estimates.of(`${name} ${spaceId}`)
}

/**
 * How much of it the space has, found out as exactly as it takes to know whether it is more than the bound. Where
 * records are passed over for that, the transaction becomes a long one.
 */
async function estimateOf(
  { tx, now }: UsageContext,
  amount: SpaceAmount,
  {
    spaceId,
    name,
    bound,
  }: { readonly spaceId: string; readonly name: EstimatedLimit; readonly bound: number },
): Promise<Estimate> {
  const nowMs = Date.parse(now)
  const known = amount.find(nowMs)
  // What was added since may not have stayed. Where nothing was, another look would tell the same of files.
  const isExact = name === 'maxSizeAttachments' && known && amount.isAsLookedUp(known)
  if (known && (amount.by(known) <= bound || isExact)) return known
  const looked = { addedBefore: amount.addedBefore(tx), lookedUpAt: nowMs }
  if (name === 'maxSizeAttachments') {
    const most = await tx.usage.fileBytes(spaceId)
    return amount.keep({ most, ...looked, excess: 0, countedAt: nowMs })
  }
  const most = await tx.usage.recordsAtMost(spaceId)
  const estimate = { most, ...looked, ...amount.excessOf(nowMs, most) }
  if (amount.by(estimate) <= bound || !mayCountAgain(estimate, nowMs)) return amount.keep(estimate)
  tx.becomeLong()
  const excess = Math.max(0, most - (await tx.usage.countRecords(spaceId)))
  return amount.keep({ most, ...looked, excess, countedAt: nowMs })
}

function tooMuch(plans: Plans, spaceId: string, name: Measured, used: number): DomainError {
  const { level, limit } = plans.of(spaceId)
  const most = limit[name] ?? unlimited
  const message = `The level "${level}" of this space allows ${most} ${nouns[name]} (${name}), and there are ${used}: remove some, or give the space a higher level`
  return new DomainError('payment_required', message, { limit: name, level, most, used })
}
