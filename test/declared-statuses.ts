import type { Trace } from '@gateleg/domain/calls/call'
import { DomainError } from '@gateleg/domain/errors'

/** The statuses that the description of the operations tells, by the method and path of each. */
export type StatusesByRoute = ReadonlyMap<string, ReadonlySet<number>>

/** As much of the description of the operations as tests compare answers with. */
interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>
    >
  >
}

/** What operations were answered with that their description doesn't tell; a file whose tests find some fails. */
const undeclared = new Set<string>()

/** The statuses that are described of each route: `GET /space`. */
export async function loadDescribed(): Promise<StatusesByRoute> {
  const { operations } = await import('@gateleg/contract/operations')
  const { toOpenApi } = await import('@gateleg/contract/openapi/openapi')
  const { paths } = toOpenApi(operations, { serverUrl: '/api' }) as unknown as Described
  return new Map(
    Object.entries(paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, { responses = {} }]) => [
        `${method.toUpperCase()} ${path}`,
        new Set(Object.keys(responses).map(Number)),
      ]),
    ),
  )
}

/** Notes an answer of a server, by what its log tells, where the description doesn't tell of it. */
export function noteAnswer(described: StatusesByRoute, line: object): void {
  const { method, route, status } = line as Readonly<Record<string, unknown>>
  const name = `${method === 'HEAD' ? 'GET' : method} ${route}`
  const declared = described.get(name)
  // Of 499 the log tells where nobody waited for an answer.
  if (declared && status !== 499 && !declared.has(Number(status)))
    undeclared.add(`${name} was answered ${status}`)
}

/** Notes the refusals of calls whose status is not among those that the operation may be answered with. */
export const noteRefusals: Trace = async (name, run) => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof DomainError) await noteRefusal(name, error)
    throw error
  }
}

let statusesByOperation: ReadonlyMap<string, readonly number[]> | undefined

async function noteRefusal(name: string, { kind, code, message }: DomainError): Promise<void> {
  const { statusByKind } = await import('@gateleg/http-express/errors')
  if (!statusesByOperation) {
    const { operations } = await import('@gateleg/contract/operations')
    const { errorStatusesOf } = await import('@gateleg/contract/openapi/error-statuses')
    statusesByOperation = new Map(operations.map((one) => [one.name, errorStatusesOf(one)]))
  }
  const status = statusByKind[kind]
  if (statusesByOperation.get(name)?.includes(status) ?? true) return
  undeclared.add(`${name} was refused with ${status} (${code}: ${message})`)
}

/** What was noted since it was asked for last. */
export function takeUndeclared(): readonly string[] {
  const found = [...undeclared].toSorted()
  undeclared.clear()
  return found
}
