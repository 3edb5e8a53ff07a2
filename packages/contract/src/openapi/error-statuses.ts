import type { PortName } from '@gateleg/domain/ports'
import type { UseCase } from '@gateleg/domain/use-case'
import type { HttpMethod, Operation } from '../operation.ts'

/** Statuses that a use case may be answered with because of what it needs from outside. */
const statusesByNeed: Partial<Record<PortName, readonly number[]>> = {
  // An instance may be closed to those who would sign up, and ask a mail server and a captcha.
  signUpPolicy: [403, 424],
  // There may be none, and it may fail.
  mail: [403, 424],
  // A provider is asked that may be gone, fail, or sign nobody in.
  openIdClient: [403, 404, 424],
}

/** What lies in a space: the level of the space may have no room for what a call adds, or not have what it uses. */
const inSpaces = ['space', 'base', 'table', 'node', 'share']

/** The statuses of all errors that an operation may be answered with; each once, in their order. */
export function errorStatusesOf({
  method,
  useCase,
  isPublic,
  isOfShare,
  hasQueryInput,
  fileMember,
  answersFile,
  speaksOAuth,
}: Pick<
  Operation,
  | 'method'
  | 'useCase'
  | 'isPublic'
  | 'isOfShare'
  | 'hasQueryInput'
  | 'fileMember'
  | 'answersFile'
  | 'speaksOAuth'
>): readonly number[] {
  const needs: readonly PortName[] = useCase.needs ?? []
  const statuses = [
    400,
    ...(isPublic && !isOfShare ? [] : [401, 403, 404]),
    // An app says who it is, and proves it.
    ...(speaksOAuth ? [401] : []),
    // The URL of a file says who may read it.
    ...(answersFile ? [403, 404, 416] : []),
    ...(hasQueryInput && fileMember === undefined ? [] : [408, 413, 415]),
    // Reads compare a version with that in `If-Match`, too.
    412,
    ...(method === 'GET' ? [] : [409, 422, 507]),
    ...(mayTakeRoom(method, useCase) ? [402] : []),
    ...needs.flatMap((need) => statusesByNeed[need] ?? []),
    429,
    500,
    503,
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

/** Whether the call may add something that its space must have room for. */
function mayTakeRoom(method: HttpMethod, { access, takesRoom }: UseCase): boolean {
  if (method === 'GET' || method === 'DELETE') return false
  return takesRoom === true || inSpaces.includes(access.requirement.on)
}
