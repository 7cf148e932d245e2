/** The address of a file, which Vite copies into the page. */
declare module '*?url&no-inline' {
  const url: string;
  export default url;
}
