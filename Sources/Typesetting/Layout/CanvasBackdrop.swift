package import Motion

extension CanvasRequest {
    /// The picture behind everything.
    package struct Backdrop: Equatable, Sendable {
        package var picture: TextPicture
        package var fit: Motion.Backdrop.Fit
        /// The opacity of the black over the picture, 0…1.
        package var dim: Double

        package init(_ picture: TextPicture, fit: Motion.Backdrop.Fit, dim: Double) {
            self.picture = picture
            self.fit = fit
            self.dim = dim
        }
    }
}

extension Layout {
    /// Puts a picture behind everything, with the bitmap of its whole file.
    mutating func add(_ backdrop: CanvasRequest.Backdrop, _ bitmap: Bitmap) {
        self.backdrop = Backdrop(
            bitmap: definitions.bitmaps.count, isOpaque: backdrop.picture.isOpaque,
            fit: backdrop.fit, dim: backdrop.dim)
        definitions.bitmaps.append(bitmap)
    }
}
