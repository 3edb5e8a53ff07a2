import type { Api, UseCaseName } from '@gateleg/domain/api'
import type { UseCase } from '@gateleg/domain/use-case'
import type { UseCases } from '@gateleg/domain/use-cases'
import type { z } from 'zod'

/** The methods that operations have; HEAD is answered wherever GET is. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Where a use case is found over HTTP, and how it answers when all went well. */
export interface Route {
  readonly method: HttpMethod
  /** Below the base URL, with `{name}` for each segment that is a member of the input. */
  readonly path: `/${string}`
  readonly status: 200 | 201
  /**
   * What a success does to cookies: that of a session, for which `opens` needs an `accessToken` in the answer; that
   * of the share that the path names, for which `proves` needs a `token`; or that of a sign-in by a login provider, for which
   * `begins` needs a `flow` in the answer. What `finishes` takes the flow from the cookie, ends that, and opens the session where the
   * answer has an `accessToken`.
   */
  readonly cookie?: 'opens' | 'closes' | 'proves' | 'begins' | 'finishes'
  /**
   * The member of the answer, a URL, to which browsers are redirected: by GET, with the input in the query. Programs call it
   * as they call others, and are answered as by those.
   */
  readonly redirectsTo?: string
  /** The member of the input that is the whole body; else the body is an object that has them all. */
  readonly bodyMember?: string
  /** The body may be a form of texts as well (`application/x-www-form-urlencoded`), as browsers and OAuth apps send it. */
  readonly takesForm?: true
  /**
   * Browsers come here, and see pages: what the answer says where they ask for HTML, and, in place of `unauthorized`, the page to sign
   * in, which leads back. One that sends a form is redirected to `redirectsTo` (303).
   */
  readonly isForPeople?: true
  /** An error says what OAuth calls it, too, and an app may prove itself by `Authorization: Basic` (RFC 6749). */
  readonly speaksOAuth?: true
  /** How the body is sent where it is no JSON: as a form, whose member `file` is a file. */
  readonly body?: 'multipart'
  /** Whether the body carries records, so that it may have many more values than others. */
  readonly carriesRecords?: true
  /** Whether answering it takes as much memory as many records do. */
  readonly answersRecords?: true
  /** The member of the input that is the body, a file that is read as it comes; all others are in the query. */
  readonly fileMember?: string
  /** The media type of that file, where it is no CSV file. */
  readonly fileType?: string
  /** The body is a file of any type, which the header tells as the member `contentType`. */
  readonly takesAnyFile?: true
  /** Another method that does the same, for callers who know it by that. */
  readonly alsoBy?: HttpMethod
  /** The input is in the query though the method has a body. */
  readonly isInQuery?: true
  /** The input is in the body though the method is one without, because callers know it so. */
  readonly isInBody?: true
  /** The media type of the answer, where that is a text of any length, sent as it is made. */
  readonly answersText?: string
  /** The answer is a file, or a part of one: its bytes, of its type, named by its header. */
  readonly answersFile?: true
}

/** What the documentation says of an operation. */
export interface Documented<Input> {
  /** What the operation is for, in a sentence or two. */
  readonly purpose: string
  /**
   * An input that a server takes. Its ids are names in braces (`{tableId}`) for what the documentation's
   * example space has; a test sends it, and `examples.json` keeps what was sent and answered.
   */
  readonly example: Input
}

/**
 * Whether the answer has a version, which HTTP sends as its `ETag`. It is a matter of types where it has one, so a
 * route that says otherwise is a type error.
 */
type VersionMark<Call> = Call extends (...args: never[]) => Promise<{ readonly version: number }>
  ? { readonly isVersioned: true }
  : { readonly isVersioned?: never }

/** The routes of one feature: one for every use case, and none for anything else. */
export type FeatureRoutes<Feature extends keyof UseCases> = {
  readonly [Name in keyof UseCases[Feature]]: Route &
    VersionMark<Api[Feature][Name]> &
    Documented<
      UseCases[Feature][Name] extends UseCase ? z.input<UseCases[Feature][Name]['input']> : never
    >
}

/** The routes of all features. */
export type Routes = { readonly [Feature in keyof UseCases]: FeatureRoutes<Feature> }

/** A use case with its route. */
export interface Operation extends Route, Documented<Readonly<Record<string, unknown>>> {
  readonly name: UseCaseName
  readonly feature: keyof UseCases
  readonly useCase: UseCase
  /** Its answer has a version, and so an `ETag`. */
  readonly isVersioned?: true
  /** The members of the input that the path carries, in the order of the path. */
  readonly pathMembers: readonly string[]
  /** Whether the rest of the input travels in the query string; else it is the body. */
  readonly hasQueryInput: boolean
  /** Needs no account; what isn't about a share ignores every credential. */
  readonly isPublic: boolean
  /** What the link of a share is enough for, with the token of the share where that asks for a password. */
  readonly isOfShare: boolean
}

/** Whether browsers call it by GET as well, with the input in the query, and are sent on. */
export function isAlsoByGet({ redirectsTo, takesForm }: Route): boolean {
  return redirectsTo !== undefined && !takesForm
}

/** The members of the input that no query has: the path or the body carries them. */
export function notInQuery({
  pathMembers,
  fileMember,
  takesAnyFile,
}: Pick<Operation, 'pathMembers' | 'fileMember' | 'takesAnyFile'>): readonly string[] {
  if (fileMember === undefined) return pathMembers
  return [...pathMembers, fileMember, ...(takesAnyFile ? ['contentType'] : [])]
}

type Extras = Pick<
  Route,
  | 'cookie'
  | 'redirectsTo'
  | 'takesForm'
  | 'isForPeople'
  | 'speaksOAuth'
  | 'body'
  | 'carriesRecords'
  | 'answersRecords'
  | 'answersText'
  | 'answersFile'
  | 'fileMember'
  | 'fileType'
  | 'takesAnyFile'
  | 'alsoBy'
  | 'isInQuery'
  | 'isInBody'
>

/** GET, 200. */
export function get(path: Route['path'], extras?: Extras): Route {
  return { method: 'GET', path, status: 200, ...extras }
}

/** POST, 201 unless said otherwise. */
export function post(path: Route['path'], status: Route['status'] = 201, extras?: Extras): Route {
  return { method: 'POST', path, status, ...extras }
}

/** PUT, 200 unless said otherwise. */
export function put(path: Route['path'], status: Route['status'] = 200, extras?: Extras): Route {
  return { method: 'PUT', path, status, ...extras }
}

/** PATCH, 200 unless said otherwise. */
export function patch(path: Route['path'], status: Route['status'] = 200, extras?: Extras): Route {
  return { method: 'PATCH', path, status, ...extras }
}

/** DELETE, 200. */
export function del(path: Route['path'], extras?: Extras): Route {
  return { method: 'DELETE', path, status: 200, ...extras }
}
