import { type Actor, anonymous } from '../access/actor.ts'
import { type Clock, toTimestamp } from '../clock.ts'
import { invalid } from '../errors.ts'
import { FileUrls } from '../file-urls.ts'
import { parseInputInTurns } from '../input/parse-input-in-turns.ts'
import { requireShallow } from '../input/require-shallow.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import type { CallContext, UseCase } from '../use-case.ts'
import { type CallOptions, requireCallOptions } from './call-options.ts'
import { runRead } from './run-read.ts'
import { runWrite } from './run-write.ts'
import type { CorePorts } from './started-call.ts'

/** Wraps every call once: tracing, timing. Must return what `run` returns. */
export type Trace = <T>(useCase: string, run: () => Promise<T>) => Promise<T>

/**
 * A use case made callable: parses the input, opens the transaction, asks the guard, runs. Nothing
 * else wraps a use case, whichever surface it is called from.
 */
export type Call = (actor: Actor, input: unknown, options?: CallOptions) => Promise<unknown>

/** Makes the use case callable under its name with the given ports. */
export function toCall(
  name: string,
  useCase: UseCase,
  ports: CorePorts & Partial<Ports>,
  trace: Trace,
): Call {
  const needed = Object.fromEntries(
    (useCase.needs ?? []).map((port) => [port, ports[port as never]]),
  )
  const giveWay = () => ports.store.giveWay()
  return (actor, input, options = {}) =>
    trace(name, async () => {
      requireCallOptions(options)
      const parsed = await parseInputInTurns(useCase.input, input ?? {}, giveWay)
      if ('issues' in parsed) throw invalid(parsed.issues.slice(0, limits.issuesNamed))
      await requireShallow(parsed.data, giveWay)
      const context = { ...needed, ...toContext(actor, options, ports) }
      const call = { name, context, input: parsed.data, options, ports }
      return useCase.kind === 'read'
        ? runRead({ ...call, useCase })
        : runWrite({ ...call, useCase })
    })
}

function toContext(actor: Actor, options: CallOptions, ports: CorePorts): CallContext {
  const fileUrls = fileUrlsOf(actor, ports)
  return {
    ...(fileUrls && { fileUrls }),
    actor: actor ?? anonymous,
    origin: options.origin ?? {},
    ...(options.answerLength !== undefined && { answerLength: options.answerLength }),
    ...(options.mayEndSooner !== undefined && { mayEndSooner: options.mayEndSooner }),
    ...(options.ifMatch !== undefined && { ifMatch: options.ifMatch }),
    ...(options.windowId !== undefined && { windowId: options.windowId }),
    ...(options.signal !== undefined && { signal: options.signal }),
    ...(ports.settings.recordHistoryDays > 0 && { keepsHistory: true }),
    publicUrl: ports.settings.publicUrl,
    now: nowOf(ports.clock),
    ids: ports.ids,
    plans: ports.plans,
  }
}

/** The maker of file URLs for the caller. Callers who aren't signed in are shown no URLs of files. */
function fileUrlsOf(
  actor: Actor,
  { secrets, settings, clock, thumbnails }: CorePorts,
): FileUrls | undefined {
  if (!actor || actor.kind === 'anonymous' || actor.kind === 'share') return undefined
  const { userId } = actor
  const reader = actor.kind === 'token' ? { userId, tokenId: actor.tokenId } : { userId }
  return new FileUrls({ secrets, settings, thumbnails }, reader, clock.now())
}

function nowOf(clock: Clock): string {
  return toTimestamp(clock.now())
}
