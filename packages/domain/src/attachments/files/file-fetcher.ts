import type { FileSource } from './file-source.ts'

/** A file that is asked for by its URL. */
export interface FileRequest {
  readonly url: string
  /** Bytes that it may have. */
  readonly most: number
  /** Who asks: nobody may ask for many at the same time. */
  readonly caller: string
  /** Ends the fetching, and the stream of the file, with its reason: nobody waits for it any more. */
  readonly signal?: AbortSignal
}

/** A file that somebody else's server has begun to send. Whoever got it calls `end` in any case. */
export interface FetchedFile extends FileSource {
  /** Lets go of the connection. */
  end(): void
}

/** Fetches files from elsewhere, from places alone that any caller may know of. */
export interface FileFetcher {
  /**
   * Asks for the file and resolves when its bytes begin to come; they are then read as they come. Throws a `FetchRefusal`,
   * which its stream does, too, where the file breaks off or comes too slowly; `payload_too_large` for one that says that it
   * has too many bytes, and `service_busy` where too many are being fetched.
   */
  fetch(request: FileRequest): Promise<FetchedFile>
}

/** Why a file is not fetched. The message goes on after the name of the URL: `must lead to …`. */
export class FetchRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FetchRefusal'
  }
}
