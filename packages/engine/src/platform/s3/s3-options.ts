/** A bucket of an S3-compatible store, and the credentials for it. */
export interface S3Options {
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of credentials that are good for a time. */
  readonly sessionToken?: string
  /** `us-east-1` when not given, which is what most stores but Amazon's take. */
  readonly region?: string
  /** Where the store is, `https://…`; Amazon's own of the region when not given. */
  readonly endpoint?: string
  /** Whether the bucket stands in the path, not in the name of the host; by default where an endpoint is given. */
  readonly pathStyle?: boolean
  /** What the names of all objects begin with, such as `gateleg/`: letters, digits and `._/-`; nothing when not given. */
  readonly prefix?: string
}

/** The allowed form of a prefix for names of objects: no character that must be escaped in a URL or in XML. */
export const prefixForm = /^(?!\/)[A-Za-z0-9._/-]{0,200}$/

/** The URL of the bucket. */
export function bucketUrl({ bucket, region, endpoint, pathStyle }: S3Options): URL {
  const url = new URL(endpoint ?? `https://s3.${region ?? 'us-east-1'}.amazonaws.com`)
  if (pathStyle ?? endpoint !== undefined) {
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  } else {
    url.host = `${bucket}.${url.host}`
  }
  return url
}
