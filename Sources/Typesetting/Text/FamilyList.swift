/// Font families as requests write them.
package enum FamilyList {
    /// The families without space around the commas, or nil when there is none or one is empty.
    package static func normalized(_ list: String) -> String? {
        let families = list.split(separator: ",", omittingEmptySubsequences: false)
            .map(trimmed)
        let isValid = families.allSatisfy { family in
            !family.isEmpty
                && family.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        return isValid ? families.joined(separator: ",") : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
